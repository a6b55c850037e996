"""Whether a server speaks cardline/1 as protocol/SPEC.md says it: `twentytwo conform HOST:PORT`.

Black box: it needs nothing but the standard library and the words of the protocol. Each check is
a function in `checks`, declared with the sentence of SPEC.md that it quotes and the ids of its
MUSTs; `runner` runs them, `report` says what came of it.
"""
