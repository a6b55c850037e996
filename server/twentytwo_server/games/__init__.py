"""The laws of the games; `registry` is where the games that this server plays are entered."""
