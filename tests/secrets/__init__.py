"""Nobody learns what they may not know: two worlds that a viewer cannot tell apart."""
