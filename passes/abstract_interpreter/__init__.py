"""The abstract interpreter: runs library functions over values that are only partly known.

`values` says what is known of a value, `decoder` turns IR into small programs, `folding` says what
each operation does with known values, `evaluator` walks a program and writes what is left of it as
new IR through `residual`.
"""
