"""Functions of integers, by Euclid's algorithm."""

from torch_refine.abstract_interp_lib.elements import element_function, wrapped


@element_function("aten::gcd", "prims::gcd")
def gcd(self: int, other: int) -> int:
    """The greatest common divisor.

    Remainders have the sign of the dividend: the least integer is negative after `abs`, too, and
    the result is what PyTorch gives for it.
    """
    divisor, found = wrapped(abs(self)), wrapped(abs(other))
    while divisor != 0:
        remainder = found % divisor
        if remainder != 0 and (found < 0) != (divisor < 0):
            remainder = remainder - divisor
        divisor, found = remainder, divisor
    return found
