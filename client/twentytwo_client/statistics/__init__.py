"""`twentytwo stats`: the practice games that this client has kept, in figures."""
