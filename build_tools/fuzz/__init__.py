"""The parameter sweep: random valid calls and programs compute what PyTorch computes.

PyTorch's samples of an operator are a handful. Here calls are drawn from the schema, or made of a
sample with other sizes, parameters, dtypes and strides, and kept if the library's functions and eager
mode accept them; programs are drawn the same way. Many are compiled as one program, and each is
compared with eager mode.
"""
