"""The operator's commands: backups and other work on data, matches of bots, records of games."""
