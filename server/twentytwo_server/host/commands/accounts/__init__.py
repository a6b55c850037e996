"""The commands of the chapter `accounts`: logging in, credentials, profiles."""
