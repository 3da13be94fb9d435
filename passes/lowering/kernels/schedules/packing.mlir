// Pack an operand of a contraction: a copy with zero padding.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @schedule(%kernel: !transform.any_op) {
    %packs = transform.structured.match ops{["linalg.pack"]} in %kernel
      : (!transform.any_op) -> !transform.op<"linalg.pack">
    transform.foreach %packs : !transform.op<"linalg.pack"> {
    ^bb0(%pack: !transform.op<"linalg.pack">):
      %p, %e, %t = transform.structured.lower_pack %pack
        : (!transform.op<"linalg.pack">)
        -> (!transform.op<"tensor.pad">, !transform.op<"tensor.expand_shape">,
            !transform.op<"linalg.transpose">)
    }
    transform.apply_patterns to %kernel {
      transform.apply_patterns.canonicalization
    } : !transform.any_op

    // Each row of a right operand is copied to all panels at once: panel by panel would read parts of
    // rows, each from another page.
    %rows = transform.structured.match ops{["linalg.transpose"]}
      attributes {permutation = array<i64: 1, 0, 2>} in %kernel
      : (!transform.any_op) -> !transform.any_op
    %row, %turns:2 = transform.structured.tile_using_for %rows tile_sizes [1, 1, 0] interchange = [1, 0]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.structured.vectorize %row : !transform.any_op
    %batches = transform.structured.match ops{["linalg.transpose"]}
      attributes {permutation = array<i64: 0, 2, 1, 3>} in %kernel
      : (!transform.any_op) -> !transform.any_op
    %batch, %more:3 = transform.structured.tile_using_for %batches tile_sizes [1, 1, 1, 0] interchange = [0, 2, 1]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.structured.vectorize %batch : !transform.any_op
    transform.yield
  }
}
