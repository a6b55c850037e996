"""Going through a game that is over."""
