"""The terminal client: typed lines, the prompt, and the connection."""
