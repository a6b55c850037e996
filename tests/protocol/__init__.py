"""The protocol package: words, wire, framing, voice, model, cards, manual, the fair shuffle."""
