"""The abstract interpretation library: shape and dtype functions of PyTorch operators.

`families/` holds the functions, one file per operator family; `rules/` holds shared helpers;
`exported/` holds generated files: the library that refinement loads, and the results of its checks.
`declaration` defines how a function is declared. Refinement imports no Python from here.
"""
