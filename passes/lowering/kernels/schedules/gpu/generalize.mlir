// Generalize named matmuls to `linalg.generic`.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @schedule(%kernel: !transform.any_op) {
    %product = transform.structured.match attributes {torch_refine.product} in %kernel
      : (!transform.any_op) -> !transform.any_op
    %general = transform.structured.generalize %product : (!transform.any_op) -> !transform.any_op
    transform.annotate %general "torch_refine.product" : !transform.any_op
    transform.yield
  }
}
