"""The twentytwo server: games (laws), play (tables, sessions), and the shell around them."""
