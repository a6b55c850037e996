"""The full screen, with Textual: a table with cards to click or to choose by keys."""
