"""The commands of the chapter `accounts`."""
