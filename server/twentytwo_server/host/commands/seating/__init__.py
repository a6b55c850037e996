"""The chapter on tables: opening them, sitting down, watching."""
