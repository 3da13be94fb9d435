"""One forward sweep that refines the types of a program by the facts of its values.

`sweep` visits every op once and asks `scalars` and `containers` what its results are.
`regions` and `control_flow` follow blocks and ops that hold others, `calls` and `recursion`
functions, `slots` what a module holds; `settling` brings what comes by again to a fixed point.
`declared` holds facts against what the program says, and `writing` changes the program.
`calculations` runs reified calculations and writes what they come to.
"""
