"""Games that are over: making their records, checking them, telling them again."""
