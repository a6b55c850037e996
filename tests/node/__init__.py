"""Tests of the real process."""
