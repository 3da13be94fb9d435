"""Sizes as expressions of symbols: `torch.symbolic_int` and `torch.bind_symbolic_shape`."""
