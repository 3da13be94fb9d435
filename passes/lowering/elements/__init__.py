"""Operators that are lowered to a loop over elements, with a body of their own."""
