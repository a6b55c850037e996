"""People with a name: tokens, inboxes, blocks, limits on repeated lines."""
