"""Moderation by the operator: bans and mutes, reports, invite codes."""
