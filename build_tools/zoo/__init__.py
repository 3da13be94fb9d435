"""The zoo: architectures of transformers, timm and torchvision with random weights.

Each is compiled, compared with eager mode, and timed beside eager mode and inductor.
"""
