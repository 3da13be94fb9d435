"""The abstract interpreter: runs library functions over values that are only partly known.

`decoder` turns IR into small programs, `folding` says what each operation does with known values.
"""
