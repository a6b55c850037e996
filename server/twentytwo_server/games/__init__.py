"""The rules of the games and their bots; `registry` lists the games that this server plays."""
