"""Tests of conversations: what lines mean, and how things are shown."""
