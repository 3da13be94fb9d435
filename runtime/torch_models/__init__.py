"""PyTorch models: nested inputs and results, live weights, gradients."""
