"""The recipes of docs/contributing, carried out as they stand, on copies of the project."""
