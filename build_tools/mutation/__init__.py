"""Mutation testing: which changes of the code do the tests near them not notice?

`mutants.py` finds what can be mutated in a source, `nearby.py` the tests of a module, `overlay.py`
makes a copy of the package with one file replaced, `running.py` runs tests with it, in processes of
`worker.py`.
"""
