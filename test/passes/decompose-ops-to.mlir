// RUN: torch-refine-opt --torch-decompose-ops='to=core-aten' %s | filecheck --check-prefix=CORE %s
// RUN: torch-refine-opt --torch-decompose-ops='to=prims' %s | filecheck --check-prefix=PRIMS %s
// RUN: torch-refine-opt --torch-decompose-ops='to=linalg' %s | filecheck %s
// RUN: not torch-refine-opt --torch-decompose-ops='to=mhlo' %s 2>&1 | filecheck --check-prefix=WRONG %s

// `aten::sign` is of core ATen, `aten::outer` is not.

// CHECK-LABEL: func.func @f
// CHECK-NOT:     torch.aten.outer
// CHECK-NOT:     torch.aten.sign
// CHECK-NOT:     prims.convert_element_type
// CHECK:         return
// CORE-LABEL:  func.func @f
// CORE-NOT:      torch.aten.outer
// CORE:          torch.aten.mul.Tensor
// CORE:          torch.aten.sign
// PRIMS-LABEL: func.func @f
// PRIMS-NOT:     torch.aten.sign
// PRIMS:         torch.prims.convert_element_type
// WRONG:       error: {{.*}}core-aten{{.*}}prims{{.*}}linalg
func.func @f(%arg0: !torch.vtensor<[3],f32>, %arg1: !torch.vtensor<[4],f32>) -> !torch.vtensor<[3,4],complex<f32>> {
  %int9 = torch.constant.int 9
  %0 = torch.aten.outer %arg0, %arg1 : !torch.vtensor<[3],f32>, !torch.vtensor<[4],f32> -> !torch.vtensor<[3,4],f32>
  %1 = torch.aten.sign %0 : !torch.vtensor<[3,4],f32> -> !torch.vtensor<[3,4],f32>
  %2 = torch.prims.convert_element_type %1, %int9 : !torch.vtensor<[3,4],f32>, !torch.int -> !torch.vtensor<[3,4],complex<f32>>
  return %2 : !torch.vtensor<[3,4],complex<f32>>
}
