"""PyTorch's primitive operators."""
