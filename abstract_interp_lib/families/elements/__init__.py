"""Element functions: operators that are computed one element at a time."""
