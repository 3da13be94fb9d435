"""Running programs: decoding functions, and what each operation does."""
