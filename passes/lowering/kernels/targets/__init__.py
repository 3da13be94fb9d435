"""Target records of CPUs, on which schedules and code generation depend."""
