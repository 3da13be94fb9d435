// RUN: torch-refine-opt %s --torch-assert-guards | filecheck %s

// What the export states of sizes is asserted before anything else, without wrapping.

// CHECK-LABEL: func.func @main
// CHECK-NOT:   torch_refine.guards
// CHECK:       %[[MOST:.*]] = arith.constant 4611686018427387904 : i64
// CHECK:       arith.divsi
// CHECK:       arith.muli
// CHECK:       cf.assert %{{.*}}, "a product"
// CHECK:       cf.assert %{{.*}}, "torch_refine.guard {{.*}}argument 0.size(0) >= 2
// CHECK:       cf.assert %{{.*}}, "torch_refine.guard {{.*}}argument 0.size(0) <= 64
// CHECK:       cf.assert %{{.*}}, "torch_refine.guard {{.*}}argument 1.size(1) == argument 0.size(0) * 3 + 1
// CHECK:       torch.symbolic_int
// CHECK-NOT:   torch.bind_symbolic_shape
func.func @main(%arg0: !torch.vtensor<[?,3],f32>, %arg1: !torch.vtensor<[?,?],f32>, %arg2: !torch.int)
    attributes {torch_refine.guards = [{condition = "arg0.size(0) * arg1.size(0) > arg2 or not arg2 == 3", message = "a product"}]} {
  %s0 = torch.symbolic_int "s0" {min_val = 2, max_val = 64} : !torch.int
  %s1 = torch.symbolic_int "s1" {min_val = 0, max_val = 9223372036854775807} : !torch.int
  torch.bind_symbolic_shape %arg0, [%s0], affine_map<()[s0] -> (s0, 3)> : !torch.vtensor<[?,3],f32>
  torch.bind_symbolic_shape %arg1, [%s0, %s1], affine_map<()[s0, s1] -> (s1, s0 * 3 + 1)> : !torch.vtensor<[?,?],f32>
  return
}

// An argument that comes in another order: the caller's dimension 0 is its dimension 1.

// CHECK-LABEL: func.func @permuted
// CHECK-NEXT:  %[[DIM:.*]] = torch.constant.int 1
// CHECK-NEXT:  torch.aten.size.int %arg0, %[[DIM]]
// CHECK:       cf.assert %{{.*}}, "torch_refine.guard {{.*}}argument 0.size(0) <= 64{{.*}}0, 0]
func.func @permuted(%arg0: !torch.vtensor<[3,?],f32>) {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %s0 = torch.symbolic_int "s0" {min_val = 0, max_val = 64} : !torch.int
  %order = torch.prim.ListConstruct %int1, %int0 : (!torch.int, !torch.int) -> !torch.list<int>
  %0 = torch.aten.permute %arg0, %order : !torch.vtensor<[3,?],f32>, !torch.list<int> -> !torch.vtensor<[?,3],f32>
  torch.bind_symbolic_shape %0, [%s0], affine_map<()[s0] -> (s0, 3)> : !torch.vtensor<[?,3],f32>
  return
}

// All comparisons of a chain hold, not the first one only.

// CHECK-LABEL: func.func @chain
// CHECK:       %[[POSITIVE:.*]] = arith.cmpi sle, %{{.*}}, %[[NUMBER:.*]] : i64
// CHECK-NEXT:  %[[INSIDE:.*]] = arith.cmpi slt, %[[NUMBER]], %[[SIZE:.*]] : i64
// CHECK-NEXT:  %[[BOTH:.*]] = arith.andi %[[POSITIVE]], %[[INSIDE]] : i1
// CHECK-NEXT:  cf.assert %[[BOTH]], "an index"
func.func @chain(%arg0: !torch.vtensor<[?],f32>, %arg1: !torch.int)
    attributes {torch_refine.guards = [{condition = "0 <= arg1 < arg0.size(0)", message = "an index"}]} {
  return
}
