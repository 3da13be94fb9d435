// Products of matrices get packed operands: 8 rows of the left one lie together, and 32 columns of
// the right one, the last tiles filled up with zeros. The kernel then has full tiles only, whatever
// the sizes are; what is too much is left out where the result is unpacked. A transposed operand is
// read by the packing as it lies.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @schedule(%module: !transform.any_op) {
    %functions = transform.structured.match ops{["func.func"]} in %module
      : (!transform.any_op) -> !transform.any_op
    %products = transform.structured.match ops{["linalg.matmul"]} attributes {torch_refine.packed} in %module
      : (!transform.any_op) -> !transform.op<"linalg.matmul">
    transform.foreach %products : !transform.op<"linalg.matmul"> {
    ^bb0(%product: !transform.op<"linalg.matmul">):
      %packed = transform.structured.pack %product packed_sizes = [8, 32, 0]
        : (!transform.op<"linalg.matmul">) -> !transform.op<"linalg.generic">
      %right = transform.get_producer_of_operand %packed[1]
        : (!transform.op<"linalg.generic">) -> !transform.op<"linalg.pack">
      %new, %r, %u = transform.structured.pack_transpose %right with_compute_op(%packed)
        outer_perm = [1, 0]
        : (!transform.op<"linalg.pack">, !transform.op<"linalg.generic">)
        -> (!transform.op<"linalg.generic">, !transform.op<"linalg.pack">, !transform.any_op)
      transform.annotate %new "torch_refine.product" : !transform.op<"linalg.generic">
    }
    %batches = transform.structured.match ops{["linalg.batch_matmul"]} attributes {torch_refine.packed} in %module
      : (!transform.any_op) -> !transform.op<"linalg.batch_matmul">
    transform.foreach %batches : !transform.op<"linalg.batch_matmul"> {
    ^bb0(%product: !transform.op<"linalg.batch_matmul">):
      %packed = transform.structured.pack %product packed_sizes = [0, 8, 32, 0]
        : (!transform.op<"linalg.batch_matmul">) -> !transform.op<"linalg.generic">
      %right = transform.get_producer_of_operand %packed[1]
        : (!transform.op<"linalg.generic">) -> !transform.op<"linalg.pack">
      %new, %r, %u = transform.structured.pack_transpose %right with_compute_op(%packed)
        outer_perm = [0, 2, 1]
        : (!transform.op<"linalg.pack">, !transform.op<"linalg.generic">)
        -> (!transform.op<"linalg.generic">, !transform.op<"linalg.pack">, !transform.any_op)
      transform.annotate %new "torch_refine.product" : !transform.op<"linalg.generic">
    }
    transform.apply_patterns to %functions {
      transform.apply_patterns.linalg.fold_pack_unpack_into_empty
      transform.apply_patterns.tensor.fold_into_pack_and_unpack
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.yield
  }
}
