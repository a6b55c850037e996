"""How a running server is watched: its health, and its metrics for Prometheus."""
