"""What happens outside the tables."""
