"""Players of the games, a module for each: they see what a seat is shown, and answer."""
