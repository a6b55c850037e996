"""What the operator's commands do, by what they are about."""
