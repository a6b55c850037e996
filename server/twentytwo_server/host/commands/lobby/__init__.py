"""Commands of the lobby: what is there, looking for players, invitations."""
