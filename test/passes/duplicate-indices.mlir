// RUN: torch-refine-opt %s --duplicate-indices | filecheck %s

#map = affine_map<(d0) -> (d0)>
#rows = affine_map<(d0, d1) -> (d0)>
#columns = affine_map<(d0, d1) -> (d1)>
#both = affine_map<(d0, d1) -> (d0, d1)>

// Two operands of one op are two uses.
// CHECK-LABEL: func.func @mask
// CHECK:         %[[ROWS:.*]] = linalg.generic
// CHECK:         %[[COLUMNS:.*]] = linalg.generic
// CHECK:         linalg.generic
// CHECK-SAME:      ins(%[[ROWS]], %[[COLUMNS]]
func.func @mask(%i: tensor<4xi64>, %o: tensor<4x4xi1>) -> tensor<4x4xi1> {
  %0 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]}
      outs(%i : tensor<4xi64>) {
  ^bb0(%out: i64):
    %2 = linalg.index 0 : index
    %3 = arith.index_cast %2 : index to i64
    linalg.yield %3 : i64
  } -> tensor<4xi64>
  %1 = linalg.generic {indexing_maps = [#rows, #columns, #both],
                       iterator_types = ["parallel", "parallel"]}
      ins(%0, %0 : tensor<4xi64>, tensor<4xi64>) outs(%o : tensor<4x4xi1>) {
  ^bb0(%row: i64, %column: i64, %out: i1):
    %4 = arith.cmpi sge, %row, %column : i64
    linalg.yield %4 : i1
  } -> tensor<4x4xi1>
  return %1 : tensor<4x4xi1>
}

// What reads the memory that it writes to is made of more than indices.
// CHECK-LABEL: func.func @reads
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT:     linalg.generic
func.func @reads(%i: tensor<4xindex>) -> (tensor<4xindex>, tensor<4xindex>) {
  %0 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]}
      outs(%i : tensor<4xindex>) {
  ^bb0(%out: index):
    %1 = linalg.index 0 : index
    %2 = arith.addi %1, %out : index
    linalg.yield %2 : index
  } -> tensor<4xindex>
  return %0, %0 : tensor<4xindex>, tensor<4xindex>
}
