"""One connection's conversation: what its lines mean, and how events are shown on it."""
