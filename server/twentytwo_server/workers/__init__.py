"""The processes in which bots think and games are reviewed, and what is done there."""
