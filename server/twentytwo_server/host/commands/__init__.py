"""The handlers of all commands: a module or package for each chapter of the protocol."""
