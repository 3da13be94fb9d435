"""Reified calculations: run once, they refine the types of what they are about, and are written as
what they come to.

`reading` finds what calculations do and which operators they are about, `running` runs them,
`writing` writes what they come to, and `visiting` goes from one to the other.
"""
