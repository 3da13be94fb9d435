// Reductions along the innermost loops, and what uses them row by row, on a GPU: softmax, layer norm.
//
// A block of threads computes a row. Its threads share the loops inside, and the sums
// (`reduce-across-threads`); what is computed for a row lies in memory that they share.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @schedule(%kernel: !transform.any_op) {
    %root = transform.structured.match attributes {torch_refine.root} in %kernel
      : (!transform.any_op) -> !transform.any_op
    %row, %blocks = transform.structured.fuse %root tile_sizes [$TILES] {use_forall, apply_cleanup}
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %mapping = transform.param.constant [$BLOCKS] -> !transform.any_param
    transform.annotate %blocks "mapping" = %mapping : !transform.any_op, !transform.any_param
    transform.apply_patterns to %kernel {
      transform.apply_patterns.linalg.fold_unit_extent_dims_via_slices
      transform.apply_patterns.tensor.fold_tensor_empty
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.apply_cse to %kernel : !transform.any_op
    transform.yield
  }
}
