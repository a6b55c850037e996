"""The configuration of a server: all settings, from a file, the environment and flags."""
