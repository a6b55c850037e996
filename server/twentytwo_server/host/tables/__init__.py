"""Running tables: carrying out orders, storing them, sending events; bots and deals."""
