"""State that a model keeps in Python: what its `forward` changes, and if later calls see it."""
