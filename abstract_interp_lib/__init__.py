"""The library: what is known about each operator, one small Python function per fact.

`families/` holds the shape and dtype functions, one file per operator family, `rules/` what they
share, and `library.mlir` the exported form that refinement reads. `declaration` is how a function
is declared. Refinement itself imports none of the Python in here.
"""
