"""The demo: real networks whose tensor types were erased, for `torch-refine-opt` to find again."""
