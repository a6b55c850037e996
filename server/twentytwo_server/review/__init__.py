"""Reviews of games that are over: what moves cost, everybody's chances, luck of the deal."""
