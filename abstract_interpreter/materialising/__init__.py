"""Materialise outcomes as IR of the torch dialect.

`demand` selects the steps of a trace to write, `writer` creates ops, `arithmetic` writes ints and
conditions, and `materialiser` the steps.
"""
