"""Writing outcomes as IR of the torch dialect.

`demand` finds the steps of a trace that have to be written, `writer` writes ops, `arithmetic` ints
and conditions, and `materialiser` the steps.
"""
