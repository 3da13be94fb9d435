// RUN: torch-refine-opt %s --freeze-float-to-int | filecheck %s

// Vectors, and numbers without a sign.

llvm.func @f(%arg0: vector<8xf32>, %arg1: f64) -> i64 {
  %0 = llvm.fptoui %arg0 : vector<8xf32> to vector<8xi16>
  %1 = llvm.fptosi %arg1 : f64 to i64
  %2 = llvm.fptoui %arg1 : f64 to i64
  %3 = llvm.add %1, %2 : i64
  llvm.return %3 : i64
}

// CHECK-LABEL: llvm.func @f(
// CHECK-NEXT:    %[[WIDE:.*]] = llvm.fptosi %{{.*}} : vector<8xf32> to vector<8xi32>
// CHECK-NEXT:    %[[FROZEN:.*]] = llvm.freeze %[[WIDE]]
// CHECK-NEXT:    llvm.trunc %[[FROZEN]] : vector<8xi32> to vector<8xi16>
// CHECK-NEXT:    %[[SIGNED:.*]] = llvm.fptosi %{{.*}} : f64 to i64
// CHECK-NEXT:    %[[A:.*]] = llvm.freeze %[[SIGNED]]
// CHECK-NEXT:    %[[UNSIGNED:.*]] = llvm.fptoui %{{.*}} : f64 to i64
// CHECK-NEXT:    %[[B:.*]] = llvm.freeze %[[UNSIGNED]]
// CHECK-NEXT:    llvm.add %[[A]], %[[B]]
