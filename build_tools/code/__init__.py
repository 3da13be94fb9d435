"""Generated code under test: guarded memory, assemblers, disassembly of loops."""
