// Multiply groups of rows by a matrix each. Offsets are the ends of the groups. The slices are in
// bounds for any offsets, since they are clamped; an assertion fails if that changes one.
//
// $NAME is a size, `?` if it is dynamic; @NAME is that size as an operand. The product is the first of the
// pieces below if sums have the type of the elements, else the second one.

func.func private @grouped_mm(
    %rows: tensor<$ROWSx$ROW_DEPTHx$ELEMENT>,
    %matrices: tensor<$MATRICESx$MATRIX_DEPTHx$COLUMNSx$ELEMENT>,
    %offsets: tensor<$OFFSETSx$INTEGER>) -> tensor<$ROWSx$COLUMNSx$ELEMENT> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %none = arith.constant 0.0 : $ELEMENT
  %ROWS = tensor.dim %rows, %c0 : tensor<$ROWSx$ROW_DEPTHx$ELEMENT>
  %ROW_DEPTH = tensor.dim %rows, %c1 : tensor<$ROWSx$ROW_DEPTHx$ELEMENT>
  %MATRICES = tensor.dim %matrices, %c0 : tensor<$MATRICESx$MATRIX_DEPTHx$COLUMNSx$ELEMENT>
  %MATRIX_DEPTH = tensor.dim %matrices, %c1 : tensor<$MATRICESx$MATRIX_DEPTHx$COLUMNSx$ELEMENT>
  %COLUMNS = tensor.dim %matrices, %c2 : tensor<$MATRICESx$MATRIX_DEPTHx$COLUMNSx$ELEMENT>
  %groups = tensor.dim %offsets, %c0 : tensor<$OFFSETSx$INTEGER>
  %has_all = arith.cmpi eq, %groups, %MATRICES : index
  cf.assert %has_all, "grouped_mm: there must be an offset for each matrix"
  %fits = arith.cmpi eq, %ROW_DEPTH, %MATRIX_DEPTH : index
  cf.assert %fits, "grouped_mm: rows and matrices do not fit"
  %end_of_rows = arith.index_cast %ROWS : index to i64
  %memory = tensor.empty(@RESULT_SIZES) : tensor<$ROWSx$COLUMNSx$ELEMENT>
  %zeros = linalg.fill ins(%none : $ELEMENT) outs(%memory : tensor<$ROWSx$COLUMNSx$ELEMENT>)
      -> tensor<$ROWSx$COLUMNSx$ELEMENT>
  %start_of_rows = arith.constant 0 : i64
  %filled:2 = scf.for %group = %c0 to %MATRICES step %c1
      iter_args(%from = %start_of_rows, %before = %zeros)
      -> (i64, tensor<$ROWSx$COLUMNSx$ELEMENT>) {
    %offset = tensor.extract %offsets[%group] : tensor<$OFFSETSx$INTEGER>
    @EXTENSION
    %at_most = arith.minsi @WIDE, %end_of_rows : i64
    %to = arith.maxsi %at_most, %from : i64
    %is_valid = arith.cmpi eq, %to, @WIDE : i64
    cf.assert %is_valid, "grouped_mm: offsets must not decrease, nor exceed the number of rows"
    %start = arith.index_cast %from : i64 to index
    %end = arith.index_cast %to : i64 to index
    %count = arith.subi %end, %start : index
    // A group without rows does not read its matrix.
    %has_rows = arith.cmpi ne, %count, %c0 : index
    %after = scf.if %has_rows -> (tensor<$ROWSx$COLUMNSx$ELEMENT>) {
      %own_rows = tensor.extract_slice %rows[%start, 0] [%count, @ROW_DEPTH] [1, 1]
          : tensor<$ROWSx$ROW_DEPTHx$ELEMENT> to tensor<?x$ROW_DEPTHx$ELEMENT>
      %slice = tensor.extract_slice %matrices[%group, 0, 0] [1, @MATRIX_DEPTH, @COLUMNS] [1, 1, 1]
          : tensor<$MATRICESx$MATRIX_DEPTHx$COLUMNSx$ELEMENT> to tensor<1x$MATRIX_DEPTHx$COLUMNSx$ELEMENT>
      %matrix = tensor.collapse_shape %slice [[0, 1], [2]]
          : tensor<1x$MATRIX_DEPTHx$COLUMNSx$ELEMENT> into tensor<$MATRIX_DEPTHx$COLUMNSx$ELEMENT>
      %part = tensor.extract_slice %before[%start, 0] [%count, @COLUMNS] [1, 1]
          : tensor<$ROWSx$COLUMNSx$ELEMENT> to tensor<?x$COLUMNSx$ELEMENT>
      @PRODUCT
      %with_part = tensor.insert_slice %product into %before[%start, 0] [%count, @COLUMNS] [1, 1]
          : tensor<?x$COLUMNSx$ELEMENT> into tensor<$ROWSx$COLUMNSx$ELEMENT>
      scf.yield %with_part : tensor<$ROWSx$COLUMNSx$ELEMENT>
    } else {
      scf.yield %before : tensor<$ROWSx$COLUMNSx$ELEMENT>
    }
    scf.yield %to, %after : i64, tensor<$ROWSx$COLUMNSx$ELEMENT>
  }
  return %filled#1 : tensor<$ROWSx$COLUMNSx$ELEMENT>
}

// -----

  %own_zeros = linalg.fill ins(%none : $ELEMENT) outs(%part : tensor<?x$COLUMNSx$ELEMENT>)
      -> tensor<?x$COLUMNSx$ELEMENT>
  %product = linalg.matmul
      ins(%own_rows, %matrix : tensor<?x$ROW_DEPTHx$ELEMENT>, tensor<$MATRIX_DEPTHx$COLUMNSx$ELEMENT>)
      outs(%own_zeros : tensor<?x$COLUMNSx$ELEMENT>) -> tensor<?x$COLUMNSx$ELEMENT>

// -----

  %zero = arith.constant 0.0 : f32
  %own_memory = tensor.empty(@SUM_SIZES) : tensor<?x$COLUMNSxf32>
  %own_zeros = linalg.fill ins(%zero : f32) outs(%own_memory : tensor<?x$COLUMNSxf32>)
      -> tensor<?x$COLUMNSxf32>
  %sums = linalg.matmul
      ins(%own_rows, %matrix : tensor<?x$ROW_DEPTHx$ELEMENT>, tensor<$MATRIX_DEPTHx$COLUMNSx$ELEMENT>)
      outs(%own_zeros : tensor<?x$COLUMNSxf32>) -> tensor<?x$COLUMNSxf32>
  %product = linalg.generic {
    indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%sums : tensor<?x$COLUMNSxf32>) outs(%part : tensor<?x$COLUMNSx$ELEMENT>) {
  ^bb0(%sum: f32, %out: $ELEMENT):
    %rounded = arith.truncf %sum : f32 to $ELEMENT
    linalg.yield %rounded : $ELEMENT
  } -> tensor<?x$COLUMNSx$ELEMENT>
