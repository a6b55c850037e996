"""Messages and cards as lines of text, in the person's chosen look."""
