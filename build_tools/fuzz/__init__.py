"""The parameter sweep: random valid calls and programs compute what PyTorch computes.

PyTorch's samples of an operator are a handful. Here a sample gets other sizes, parameters, dtypes
and strides, and is kept if the library's functions and eager mode accept it; programs are drawn the
same way. Many are compiled as one program, and each is compared with eager mode.
"""
