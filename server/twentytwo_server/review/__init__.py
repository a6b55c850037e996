"""Reviews of finished games: the cost of moves, the players' chances, the luck of the deal."""
