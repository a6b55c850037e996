"""The commands of the chapter `session`: names, resume, help, display settings."""
