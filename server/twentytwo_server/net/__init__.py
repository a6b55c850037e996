"""Bytes to lines and lines to bytes: the core knows no socket, the transports are thin shells."""
