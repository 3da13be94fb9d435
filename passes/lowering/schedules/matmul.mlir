// A product of packed matrices, with what is done to its result.
//
// A panel of 32 columns of the right operand stays in the second-level cache while 512 rows of the
// left one pass by, tile by tile; then the next panel meets the same rows. The innermost kernel keeps
// 8 x 32 sums in registers: for each step along the summed dimension it loads 32 numbers of the right
// operand and spreads 8 of the left one.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @schedule(%kernel: !transform.any_op) {
    %root = transform.structured.match attributes {torch_refine.root} in %kernel
      : (!transform.any_op) -> !transform.any_op
    %panel, %panels:$OUTER = transform.structured.fuse %root tile_sizes [${BATCH}512, 32] {apply_cleanup}
      : (!transform.any_op) -> (!transform.any_op, $OUTER_TYPES)
    %inner = transform.structured.match attributes {torch_refine.root} in %kernel
      : (!transform.any_op) -> !transform.any_op
    %tile, %rows = transform.structured.fuse %inner tile_sizes [${ZEROS}8, 0] {apply_cleanup}
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %product = transform.structured.match attributes {torch_refine.product} in %rows
      : (!transform.any_op) -> !transform.any_op
    %step, %steps = transform.structured.tile_using_for %product tile_sizes [${ZEROS}0, 0, 1, 0, 0]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.apply_patterns to %kernel {
      transform.apply_patterns.linalg.fold_unit_extent_dims_via_slices
      transform.apply_patterns.canonicalization
    } : !transform.any_op

    %sums = transform.structured.match ops{["linalg.generic"]} in %steps
      : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %sums : !transform.any_op
    transform.apply_patterns to %kernel {
      transform.apply_patterns.tensor.fold_tensor_empty
    } : !transform.any_op
    %zeros = transform.structured.match ops{["linalg.fill"]} in %kernel
      : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %zeros : !transform.any_op
    transform.apply_patterns to %kernel {
      transform.apply_patterns.tensor.fold_tensor_subset_ops_into_vector_transfers
      transform.apply_patterns.canonicalization
    } : !transform.any_op

    // The sums are loaded and stored once, outside of the innermost loop.
    %loops = transform.structured.match ops{["scf.for"]} in %kernel
      : (!transform.any_op) -> !transform.any_op
    transform.apply_licm to %loops : !transform.any_op
    transform.foreach %loops : !transform.any_op {
    ^bb0(%loop: !transform.any_op):
      transform.loop.hoist_loop_invariant_subsets %loop : !transform.any_op
    }
    transform.apply_patterns to %kernel {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.apply_cse to %kernel : !transform.any_op

    %unpacks = transform.structured.match ops{["linalg.unpack"]} in %kernel
      : (!transform.any_op) -> !transform.op<"linalg.unpack">
    transform.foreach %unpacks : !transform.op<"linalg.unpack"> {
    ^bb0(%unpack: !transform.op<"linalg.unpack">):
      %e, %t, %c, %s, %p = transform.structured.lower_unpack %unpack
        : (!transform.op<"linalg.unpack">)
        -> (!transform.op<"tensor.empty">, !transform.op<"linalg.transpose">,
            !transform.op<"tensor.collapse_shape">, !transform.op<"tensor.extract_slice">,
            !transform.op<"linalg.copy">)
    }
    transform.yield
  }
}
