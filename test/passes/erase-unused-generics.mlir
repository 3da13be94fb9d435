// RUN: torch-refine-opt %s --erase-unused-generics | filecheck %s

#map = affine_map<(d0) -> (d0)>

// A chain of which nothing is used goes, what is returned stays.
// CHECK-LABEL: func.func @chain
// CHECK:         linalg.generic
// CHECK:           cf.assert %{{.*}}, "used"
// CHECK-NOT:     linalg.generic
func.func @chain(%i: tensor<4xindex>, %o: tensor<4xindex>) -> tensor<4xindex> {
  %c4 = arith.constant 4 : index
  %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
      ins(%i : tensor<4xindex>) outs(%o : tensor<4xindex>) {
  ^bb0(%in: index, %out: index):
    %1 = arith.cmpi ult, %in, %c4 : index
    cf.assert %1, "used"
    linalg.yield %in : index
  } -> tensor<4xindex>
  %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
      ins(%i : tensor<4xindex>) outs(%o : tensor<4xindex>) {
  ^bb0(%in: index, %out: index):
    %3 = arith.cmpi ult, %in, %c4 : index
    cf.assert %3, "unused, but for the next one"
    linalg.yield %in : index
  } -> tensor<4xindex>
  %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
      ins(%2 : tensor<4xindex>) outs(%o : tensor<4xindex>) {
  ^bb0(%in: index, %out: index):
    %5 = arith.cmpi ult, %in, %c4 : index
    cf.assert %5, "unused"
    linalg.yield %in : index
  } -> tensor<4xindex>
  return %0 : tensor<4xindex>
}
