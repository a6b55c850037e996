"""Records of games that are over: making them, checking them, and telling their events again."""
