"""Tables and matches as frozen values. An order makes a new table, events and effects."""
