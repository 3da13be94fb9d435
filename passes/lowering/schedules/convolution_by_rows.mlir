// A convolution over images whose rows no vector divides, or that steps over columns: the columns of
// a row become the innermost loop, which LLVM vectorises.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @schedule(%kernel: !transform.any_op) {
    %root = transform.structured.match attributes {torch_refine.root} in %kernel
      : (!transform.any_op) -> !transform.any_op
    %general = transform.structured.generalize %root : (!transform.any_op) -> !transform.any_op
    %rows = transform.structured.interchange %general
      iterator_interchange = [0, 1, 2, 4, 5, 6, 3] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
