"""The demo: real networks with erased tensor types, which `torch-refine-opt` infers again."""
