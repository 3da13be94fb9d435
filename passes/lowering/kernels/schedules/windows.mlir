// Windowed ops without tiles: the contiguous dimension of the result becomes the innermost loop, which
// LLVM vectorizes.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @schedule(%kernel: !transform.any_op) {
    %root = transform.structured.match attributes {torch_refine.root} in %kernel
      : (!transform.any_op) -> !transform.any_op
    %general = transform.structured.generalize %root : (!transform.any_op) -> !transform.any_op
    %turned = transform.structured.interchange %general
      iterator_interchange = [$ORDER] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
