// RUN: torch-refine-opt %s --disable-unrolling | filecheck %s

// A loop of a whole vector of iterations or more is not unrolled; a shorter one is. A copy of a row
// ends its loop; so does a row in a loop over rows.

// CHECK-LABEL: llvm.func @rows
// CHECK:         llvm.store
// CHECK-NEXT:    llvm.add
// CHECK-NEXT:    llvm.br ^bb2({{.*}}) {loop_annotation = #loop_annotation}
// CHECK:         llvm.br ^bb1({{.*}})
// CHECK-NOT:     loop_annotation

llvm.func @rows(%a: !llvm.ptr, %b: !llvm.ptr) {
  %0 = llvm.mlir.constant(0 : index) : i64
  %1 = llvm.mlir.constant(1 : index) : i64
  %8 = llvm.mlir.constant(8 : index) : i64
  %16 = llvm.mlir.constant(16 : index) : i64
  llvm.br ^bb1(%0 : i64)
^bb1(%i: i64):
  %2 = llvm.icmp "slt" %i, %8 : i64
  llvm.cond_br %2, ^bb2(%0 : i64), ^bb5
^bb2(%j: i64):
  %3 = llvm.icmp "slt" %j, %16 : i64
  llvm.cond_br %3, ^bb3, ^bb4
^bb3:
  %4 = llvm.load %a : !llvm.ptr -> f32
  llvm.store %4, %b : f32, !llvm.ptr
  %5 = llvm.add %j, %1 : i64
  llvm.br ^bb2(%5 : i64)
^bb4:
  %6 = llvm.add %i, %1 : i64
  llvm.br ^bb1(%6 : i64)
^bb5:
  llvm.return
}

// CHECK-LABEL: llvm.func @short
// CHECK-NOT:     loop_annotation

llvm.func @short(%a: !llvm.ptr, %b: !llvm.ptr) {
  %0 = llvm.mlir.constant(0 : index) : i64
  %1 = llvm.mlir.constant(1 : index) : i64
  %7 = llvm.mlir.constant(7 : index) : i64
  llvm.br ^bb1(%0 : i64)
^bb1(%i: i64):
  %2 = llvm.icmp "slt" %i, %7 : i64
  llvm.cond_br %2, ^bb2, ^bb3
^bb2:
  %4 = llvm.load %a : !llvm.ptr -> f32
  llvm.store %4, %b : f32, !llvm.ptr
  %5 = llvm.add %i, %1 : i64
  llvm.br ^bb1(%5 : i64)
^bb3:
  llvm.return
}

// Loops of unknown length are unrolled at run time; those that call functions, or have vectors already,
// are not vectorized.

// CHECK-LABEL: llvm.func @others
// CHECK-NOT:     loop_annotation

llvm.func @g()
llvm.func @others(%a: !llvm.ptr, %b: !llvm.ptr, %n: i64) {
  %0 = llvm.mlir.constant(0 : index) : i64
  %1 = llvm.mlir.constant(1 : index) : i64
  %64 = llvm.mlir.constant(64 : index) : i64
  llvm.br ^bb1(%0 : i64)
^bb1(%i: i64):
  %2 = llvm.icmp "slt" %i, %n : i64
  llvm.cond_br %2, ^bb2, ^bb3(%0 : i64)
^bb2:
  %4 = llvm.load %a : !llvm.ptr -> f32
  llvm.store %4, %b : f32, !llvm.ptr
  %5 = llvm.add %i, %1 : i64
  llvm.br ^bb1(%5 : i64)
^bb3(%j: i64):
  %6 = llvm.icmp "slt" %j, %64 : i64
  llvm.cond_br %6, ^bb4, ^bb5(%0 : i64)
^bb4:
  llvm.call @g() : () -> ()
  %7 = llvm.load %a : !llvm.ptr -> f32
  llvm.store %7, %b : f32, !llvm.ptr
  %8 = llvm.add %j, %1 : i64
  llvm.br ^bb3(%8 : i64)
^bb5(%k: i64):
  %9 = llvm.icmp "slt" %k, %64 : i64
  llvm.cond_br %9, ^bb6, ^bb7
^bb6:
  %10 = llvm.load %a : !llvm.ptr -> vector<8xf32>
  llvm.store %10, %b : vector<8xf32>, !llvm.ptr
  %11 = llvm.add %k, %1 : i64
  llvm.br ^bb5(%11 : i64)
^bb7:
  llvm.return
}

// Long loops are vectorized before they are unrolled.

// CHECK-LABEL: llvm.func @long
// CHECK-NOT:     loop_annotation

llvm.func @long(%a: !llvm.ptr, %b: !llvm.ptr) {
  %0 = llvm.mlir.constant(0 : index) : i64
  %1 = llvm.mlir.constant(1 : index) : i64
  %1024 = llvm.mlir.constant(1024 : index) : i64
  llvm.br ^bb1(%0 : i64)
^bb1(%i: i64):
  %2 = llvm.icmp "slt" %i, %1024 : i64
  llvm.cond_br %2, ^bb2, ^bb3
^bb2:
  %4 = llvm.load %a : !llvm.ptr -> f32
  llvm.store %4, %b : f32, !llvm.ptr
  %5 = llvm.add %i, %1 : i64
  llvm.br ^bb1(%5 : i64)
^bb3:
  llvm.return
}
