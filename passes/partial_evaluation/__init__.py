"""The partial evaluator: runs calculations over what is known, and writes what is left as IR.

`values` says what is known of a value, `facts` reads it off the program around a calculation,
`evaluator` walks the decoded calculation and writes what is left of it through `residual`; `merge`
says what holds after both sides of an unknown `If`.
"""
