"""Commands of the lobby: lists, seeks, invitations."""
