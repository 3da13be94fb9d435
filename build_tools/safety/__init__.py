"""The safety sweep: calls that eager mode rejects, made to compiled programs.

A program must raise, or return what eager mode returns. It must not end the process, access memory
out of bounds, or return where eager mode raises.
"""
