"""Several servers that share one store: each shows the tables of the others to its own people."""
