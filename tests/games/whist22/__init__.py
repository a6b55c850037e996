"""Whist 22: its vectors, its hands, its rulings, its options, its players."""
