"""A forward dataflow analysis that refines the types of a program by lattice values.

`sweep` visits every op once and asks `scalars` and `containers` for the lattice values of its
results. `regions` and `control_flow` handle blocks and ops with regions, `calls` and `recursion`
functions, `slots` global slots; `fixed_point` iterates cycles to a fixed point. `declared` converts
between lattice values and types, and `writing` changes the program. `calculations` runs and
simplifies reified calculations.
"""
