"""Tables in the world: one order at a time, kept and then told; their bots and deals."""
