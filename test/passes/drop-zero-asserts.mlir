// RUN: torch-refine-opt %s --drop-zero-asserts | filecheck %s

func.func @f(%arg0: i1) {
  cf.assert %arg0, "unimplemented: tensor with zero element"
  cf.assert %arg0, "index must be smaller than dim size"
  return
}

// CHECK-LABEL: func.func @f
// CHECK-NEXT:    cf.assert %{{.*}}, "index must be smaller than dim size"
// CHECK-NEXT:    return
