"""Reified calculations: each is run once, refines the types of its operator, and is simplified.

`reading` finds the structure of calculations and their operators, `running` runs them, `writing`
writes the simplified form, and `visiting` drives these.
"""
