"""Tests of the host over fakes: people, rooms, the lobby, bots, stores."""
