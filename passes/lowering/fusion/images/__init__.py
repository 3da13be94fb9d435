"""Images: tensors of rank 4, and their dimension order."""
