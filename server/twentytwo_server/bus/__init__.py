"""Messages between servers: within a process, and over NATS."""
