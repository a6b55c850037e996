"""The commands of the chapter `session`: coming and going, help, settings."""
