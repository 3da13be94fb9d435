// Distribute the outermost loops of a kernel over threads: each computes a slice of the result, with
// the producers fused.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @schedule(%kernel: !transform.any_op) {
    %root = transform.structured.match attributes {torch_refine.root} in %kernel
      : (!transform.any_op) -> !transform.any_op
    %part, %threads = transform.structured.fuse %root tile_sizes [$TILES] {apply_cleanup, use_forall}
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
