"""Layers of networks, indexing and its gradients, computed by other operators."""
