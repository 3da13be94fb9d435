"""Rewrites of FX graphs of `torch.export`; no other passes need PyTorch."""
