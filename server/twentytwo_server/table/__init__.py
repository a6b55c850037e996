"""Tables and matches, pure: a command and a time go in, a new value and effects come out."""
