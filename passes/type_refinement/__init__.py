"""One forward sweep that refines the types of a program by the facts of its values.

`sweep` visits every op once and asks `operators`, `scalars`, `elements` and `containers` what its
results are; `control_flow` and `calls` do so for ops that hold or lead to others. `declared` holds
facts against what the program says, and `writing` changes the program.
"""
