"""The safety sweep: calls that eager mode rejects, made to compiled programs.

A program raises, or gives what eager mode gives. It never ends the process, touches memory that is
not its own, or answers where eager mode raises.
"""
