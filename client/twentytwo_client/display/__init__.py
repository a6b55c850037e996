"""What is shown of it: messages and cards as lines of text, in the look that a person wishes."""
