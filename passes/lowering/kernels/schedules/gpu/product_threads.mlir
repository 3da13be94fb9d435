// Inside a block: tiles of both operands are loaded into shared memory, $DEPTH elements of the reduction
// dimension at a time. Each of the 256 threads has $OWN_ROWS x $OWN_COLUMNS accumulators.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @schedule(%kernel: !transform.any_op) {
    %product = transform.structured.match attributes {torch_refine.product} in %kernel
      : (!transform.any_op) -> !transform.any_op
    %step, %steps = transform.structured.tile_using_for %product tile_sizes [${NOUGHTS}0, 0, $DEPTH]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %tiles = transform.structured.match attributes {torch_refine.tile} in %kernel
      : (!transform.any_op) -> !transform.any_op
    %loaded, %loop = transform.structured.fuse_into_containing_op %tiles into %steps
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %own, %threads = transform.structured.tile_using_forall %step
      tile_sizes [${NOUGHTS}$OWN_ROWS, $OWN_COLUMNS] (mapping = [#gpu.thread<y>, #gpu.thread<x>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %one, %ones = transform.structured.tile_using_for %own tile_sizes [${NOUGHTS}0, 0, 1]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.apply_patterns to %kernel {
      transform.apply_patterns.linalg.fold_unit_extent_dims_via_slices
      transform.apply_patterns.tensor.fold_tensor_empty
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    %sums = transform.structured.match ops{["linalg.generic"]} in %ones
      : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %sums : !transform.any_op
    transform.apply_patterns to %kernel {
      transform.apply_patterns.tensor.fold_tensor_subset_ops_into_vector_transfers
      transform.apply_patterns.canonicalization
    } : !transform.any_op

    // A thread's accumulators are loaded and stored once per tile.
    %loops = transform.structured.match ops{["scf.for"]} in %kernel
      : (!transform.any_op) -> !transform.any_op
    transform.apply_licm to %loops : !transform.any_op
    transform.foreach %loops : !transform.any_op {
    ^bb0(%each: !transform.any_op):
      transform.loop.hoist_loop_invariant_subsets %each : !transform.any_op
    }
    transform.apply_patterns to %kernel {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.apply_cse to %kernel : !transform.any_op
    transform.yield
  }
}
