"""`twentytwo stats`: statistics of this client's practice games."""
