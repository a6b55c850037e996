"""Tables and matches as frozen values: an order and a time go in, a new table and effects out."""
