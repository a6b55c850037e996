"""The tests of twentytwo."""
