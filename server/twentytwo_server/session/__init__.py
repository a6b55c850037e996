"""Who is at the other end of a connection: what its lines mean, and what it is shown."""
