"""What the code of the packages may not do, checked on its text."""
