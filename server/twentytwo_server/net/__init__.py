"""Network connections: bytes to lines and lines to bytes; only `transport` knows sockets."""
