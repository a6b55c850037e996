"""Playing in a terminal: what a person types, the prompt, and the connection under it."""
