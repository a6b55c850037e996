"""A start after a stop: tables built again, or set aside."""
