"""What an operator decides about people: bans and mutes, reports, invite codes."""
