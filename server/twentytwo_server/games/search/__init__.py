"""What searching bots of all games share: what is searched, and the searcher."""
