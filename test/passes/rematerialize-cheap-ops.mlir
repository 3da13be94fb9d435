// RUN: torch-refine-opt %s --rematerialize-cheap-ops | filecheck %s

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

// An extension takes more memory than its operand: each
// op that it can be fused into has its own.
// CHECK-LABEL: func.func @extended
// CHECK:         %[[ONE:.*]] = linalg.generic
// CHECK:           arith.extf
// CHECK:         %[[OTHER:.*]] = linalg.generic
// CHECK:           arith.extf
// CHECK:         %[[RETURNED:.*]] = linalg.generic
// CHECK:           arith.extf
// CHECK:         %[[PRODUCT:.*]] = linalg.generic
// CHECK-SAME:      ins(%[[OTHER]], %[[ONE]]
// CHECK:         return %[[RETURNED]], %[[PRODUCT]]
func.func @extended(%x: tensor<4xf32>, %o: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
  %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%o : tensor<4xf64>) {
  ^bb0(%in: f32, %out: f64):
    %2 = arith.extf %in : f32 to f64
    linalg.yield %2 : f64
  } -> tensor<4xf64>
  %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]}
      ins(%0, %0 : tensor<4xf64>, tensor<4xf64>) outs(%o : tensor<4xf64>) {
  ^bb0(%left: f64, %right: f64, %out: f64):
    %2 = arith.mulf %left, %right : f64
    linalg.yield %2 : f64
  } -> tensor<4xf64>
  return %0, %1 : tensor<4xf64>, tensor<4xf64>
}

// A cast that transposes would read its operand out of order each time; a rounding saves memory.
// CHECK-LABEL: func.func @kept
// CHECK-COUNT-3: linalg.generic
// CHECK-NOT:     linalg.generic
func.func @kept(%x: tensor<4x4xf32>, %o: tensor<4x4xf64>, %r: tensor<4x4xf16>)
    -> (tensor<4x4xf64>, tensor<4x4xf16>, tensor<4x4xf16>) {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, #both],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x4xf32>) outs(%o : tensor<4x4xf64>) {
  ^bb0(%in: f32, %out: f64):
    %3 = arith.extf %in : f32 to f64
    linalg.yield %3 : f64
  } -> tensor<4x4xf64>
  %1 = linalg.generic {indexing_maps = [#both, #both], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x4xf32>) outs(%r : tensor<4x4xf16>) {
  ^bb0(%in: f32, %out: f16):
    %3 = arith.truncf %in : f32 to f16
    linalg.yield %3 : f16
  } -> tensor<4x4xf16>
  %2 = linalg.generic {indexing_maps = [#both, #both, #both, #both],
                       iterator_types = ["parallel", "parallel"]}
      ins(%1, %1, %0 : tensor<4x4xf16>, tensor<4x4xf16>, tensor<4x4xf64>)
      outs(%r : tensor<4x4xf16>) {
  ^bb0(%left: f16, %right: f16, %wide: f64, %out: f16):
    %3 = arith.mulf %left, %right : f16
    linalg.yield %3 : f16
  } -> tensor<4x4xf16>
  return %0, %1, %2 : tensor<4x4xf64>, tensor<4x4xf16>, tensor<4x4xf16>
}
