"""The abstract interpreter: runs library functions on partly known values.

| folder | holds |
| --- | --- |
| `numbers/` | ints as expressions over symbols, ranges of them, arithmetic |
| `conditions/` | conditions on ints, path conditions, joins of two paths |
| `lists/` | mutable lists, which can be aliased |
| `running/` | functions as decoded programs, their operations, traces of runs |
| `materialising/` | outcomes of runs as IR |
"""
