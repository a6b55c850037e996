"""Records of finished games: making them, checking them, and recreating their events."""
