"""Where moves are kept."""
