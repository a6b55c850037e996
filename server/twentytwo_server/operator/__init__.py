"""The operator's commands: backups and other data commands, bot matches, game records."""
