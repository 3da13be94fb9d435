"""Which operations of a program become one kernel."""
