"""What happens at a start: people and tables are restored, or tables are set aside."""
