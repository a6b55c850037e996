"""What the operator of a server runs beside it: data commands, matches of bots, records."""
