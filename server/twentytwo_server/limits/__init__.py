"""Rate limits and quotas of addresses, connections, accounts and people."""
