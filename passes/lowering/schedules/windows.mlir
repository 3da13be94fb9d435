// What slides a window over images and has no tiles: the dimension of the result that lies together
// becomes the innermost loop, which LLVM vectorises.

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
