"""Messages between servers."""
