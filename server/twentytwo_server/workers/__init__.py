"""Worker processes for bot searches and game reviews."""
