"""What holds for every game and preset."""
