"""Two things at the same moment: exactly one of them happens, whichever comes first."""
