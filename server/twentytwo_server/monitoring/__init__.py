"""Monitoring of a running server: its health, and its metrics for Prometheus."""
