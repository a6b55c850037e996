"""Tools shared by tests: a manual clock, tables, hosts, and connections over fake transports."""
