"""Images: tensors of four dimensions, and how they lie in memory."""
