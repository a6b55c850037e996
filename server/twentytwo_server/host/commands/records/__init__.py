"""Commands about past games: what there is of them, and how it is handed over."""
