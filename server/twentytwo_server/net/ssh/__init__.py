"""Lines over SSH: a person's terminal with line editing, or one line of commands."""
