"""The documentation is run: its transcripts, its bots."""
