"""Operators of linear algebra, computed by LAPACK."""
