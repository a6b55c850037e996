"""The conformance kit: it tells a server, or a client, what it does wrong."""
