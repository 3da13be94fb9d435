"""The fuzzing sweep: compiled random calls and programs must equal eager mode.

PyTorch has few samples of an operator. A sample is mutated to other sizes, parameters, dtypes and
strides, and kept if the library's functions and eager mode accept it; programs are generated the
same way. Many are compiled as one program, and each is compared with eager mode.
"""
