"""The abstract interpreter: runs library functions over values that are only partly known.

| room | knows |
| --- | --- |
| `numbers/` | ints as expressions over symbols, ranges of them, arithmetic |
| `conditions/` | bools as conditions on ints, what a path assumes, what two paths share |
| `lists/` | lists with identity |
| `running/` | functions as small programs, what their operations do, traces of runs |
| `materialising/` | outcomes of runs as IR |
"""
