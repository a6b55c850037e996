"""Tests of connections: their bytes alone, over fake transports, over real sockets."""
