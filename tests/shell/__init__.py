"""Tests of connections over fake transports and a fake clock."""
