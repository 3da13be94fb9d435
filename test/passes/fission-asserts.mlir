// RUN: torch-refine-opt %s --fission-asserts | filecheck %s

#row = affine_map<(d0, d1) -> (d0)>
#id = affine_map<(d0, d1) -> (d0, d1)>

// Rows without elements take no indices, so these are not looked at.
// CHECK-LABEL: func.func private @rows
// CHECK:         %[[WIDTH:.*]] = tensor.dim %arg2, %c1
// CHECK:         %[[EMPTY:.*]] = arith.cmpi eq, %[[WIDTH]], %c0
// CHECK:         %[[COUNT:.*]] = tensor.dim %arg0, %c0
// CHECK:         %[[END:.*]] = arith.select %[[EMPTY]], %c0{{.*}}, %[[COUNT]]
// CHECK:         scf.for %{{.*}} = %{{.*}} to %[[END]]
// CHECK-NEXT:      tensor.extract %arg0
// CHECK:         cf.assert
// CHECK-NEXT:    linalg.generic
// CHECK-NOT:     cf.assert
func.func private @rows(%i: tensor<?xindex>, %x: tensor<50x?xf32>, %o: tensor<?x?xf32>)
    -> tensor<?x?xf32> attributes {torch_refine.kernel = "loops"} {
  %c50 = arith.constant 50 : index
  %0 = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%i : tensor<?xindex>) outs(%o : tensor<?x?xf32>) {
  ^bb0(%in: index, %out: f32):
    %1 = linalg.index 1 : index
    %2 = arith.cmpi ult, %in, %c50 : index
    cf.assert %2, "index is out of bounds"
    %3 = tensor.extract %x[%in, %1] : tensor<50x?xf32>
    linalg.yield %3 : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// An index for each element: they would be read twice.
// CHECK-LABEL: func.func private @elements
// CHECK-NOT:     scf.for
// CHECK:         linalg.generic
// CHECK:           cf.assert
func.func private @elements(%i: tensor<512x512xindex>, %x: tensor<50xf32>,
    %o: tensor<512x512xf32>) -> tensor<512x512xf32> attributes {torch_refine.kernel = "loops"} {
  %c50 = arith.constant 50 : index
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%i : tensor<512x512xindex>) outs(%o : tensor<512x512xf32>) {
  ^bb0(%in: index, %out: f32):
    %2 = arith.cmpi ult, %in, %c50 : index
    cf.assert %2, "index is out of bounds"
    %3 = tensor.extract %x[%in] : tensor<50xf32>
    linalg.yield %3 : f32
  } -> tensor<512x512xf32>
  return %0 : tensor<512x512xf32>
}

// An index that is looked up is asserted after the one that it is looked up at.
// CHECK-LABEL: func.func private @nested
// CHECK:         scf.for
// CHECK:         cf.assert %{{.*}}, "first"
// CHECK:         scf.for
// CHECK:           tensor.extract %arg1
// CHECK:         cf.assert %{{.*}}, "second"
// CHECK-NEXT:    linalg.generic
// CHECK-NOT:     cf.assert
func.func private @nested(%i: tensor<4xindex>, %j: tensor<9xindex>, %x: tensor<50x64xf32>,
    %o: tensor<4x64xf32>) -> tensor<4x64xf32> attributes {torch_refine.kernel = "loops"} {
  %c9 = arith.constant 9 : index
  %c50 = arith.constant 50 : index
  %0 = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%i : tensor<4xindex>) outs(%o : tensor<4x64xf32>) {
  ^bb0(%in: index, %out: f32):
    %1 = linalg.index 1 : index
    %2 = arith.cmpi ult, %in, %c9 : index
    cf.assert %2, "first"
    %3 = tensor.extract %j[%in] : tensor<9xindex>
    %4 = arith.cmpi ult, %3, %c50 : index
    cf.assert %4, "second"
    %5 = tensor.extract %x[%3, %1] : tensor<50x64xf32>
    linalg.yield %5 : f32
  } -> tensor<4x64xf32>
  return %0 : tensor<4x64xf32>
}
