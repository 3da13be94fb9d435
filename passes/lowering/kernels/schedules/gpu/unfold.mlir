// Convert a 2-D convolution to img2col and a matmul. The img2col matrix is never materialized as a
// whole: its elements are read from the image.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @schedule(%function: !transform.any_op) {
    %convolutions = transform.structured.match ops{["linalg.conv_2d_nchw_fchw"]}
      attributes {torch_refine.unfolded} in %function : (!transform.any_op) -> !transform.any_op
    transform.foreach %convolutions : !transform.any_op {
    ^bb0(%convolution: !transform.any_op):
      %matrix, %result = transform.structured.convert_conv2d_to_img2col %convolution
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
      %product = transform.get_producer_of_operand %result[0]
        : (!transform.any_op) -> !transform.any_op
      transform.annotate %product "torch_refine.product" : !transform.any_op
    }
    transform.yield
  }
}
