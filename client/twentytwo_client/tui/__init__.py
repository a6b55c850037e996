"""A table that fills the terminal, with Textual: cards to click, or to choose by keys."""
