"""A program's sizes, and its live bytes, as functions of the sizes of its arguments."""
