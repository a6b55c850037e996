"""What answers every command: a module or a package for each chapter of the protocol's words."""
