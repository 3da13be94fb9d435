// RUN: torch-refine-opt %s --disable-vectorization | filecheck %s

// A division in a loop, by a number that is no constant, is moved into the branch that uses it.

// CHECK-LABEL: llvm.func @moved
// CHECK:         llvm.br ^bb1({{.*}}) {loop_annotation = #loop_annotation}

llvm.func @moved(%a: !llvm.ptr, %n: i64, %m: i64, %d: i64) {
  %0 = llvm.mlir.constant(0 : i64) : i64
  %1 = llvm.mlir.constant(1 : i64) : i64
  %zero = llvm.mlir.constant(0.0 : f32) : f32
  llvm.br ^bb1(%0 : i64)
^bb1(%i: i64):
  %2 = llvm.icmp "slt" %i, %n : i64
  llvm.cond_br %2, ^bb2, ^bb5
^bb2:
  %3 = llvm.sdiv %i, %d : i64
  %4 = llvm.icmp "slt" %i, %m : i64
  llvm.cond_br %4, ^bb3, ^bb4
^bb3:
  %5 = llvm.getelementptr %a[%3] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %zero, %5 : f32, !llvm.ptr
  llvm.br ^bb4
^bb4:
  %6 = llvm.add %i, %1 : i64
  llvm.br ^bb1(%6 : i64)
^bb5:
  llvm.return
}

// Both loops of a nest are annotated, as the inner one may be unrolled.

// CHECK-LABEL: llvm.func @nest
// CHECK:         llvm.br ^bb2({{.*}}) {loop_annotation = #loop_annotation}
// CHECK:         llvm.br ^bb1({{.*}}) {loop_annotation = #loop_annotation}

llvm.func @nest(%a: !llvm.ptr, %n: i64, %m: i64, %d: i64) {
  %0 = llvm.mlir.constant(0 : i64) : i64
  %1 = llvm.mlir.constant(1 : i64) : i64
  %zero = llvm.mlir.constant(0.0 : f32) : f32
  llvm.br ^bb1(%0 : i64)
^bb1(%i: i64):
  %2 = llvm.icmp "slt" %i, %n : i64
  llvm.cond_br %2, ^bb2(%0 : i64), ^bb7
^bb2(%j: i64):
  %3 = llvm.icmp "slt" %j, %m : i64
  llvm.cond_br %3, ^bb3, ^bb6
^bb3:
  %4 = llvm.icmp "slt" %j, %i : i64
  llvm.cond_br %4, ^bb4, ^bb5
^bb4:
  %5 = llvm.urem %j, %d : i64
  %6 = llvm.getelementptr %a[%5] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %zero, %6 : f32, !llvm.ptr
  llvm.br ^bb5
^bb5:
  %7 = llvm.add %j, %1 : i64
  llvm.br ^bb2(%7 : i64)
^bb6:
  %8 = llvm.add %i, %1 : i64
  llvm.br ^bb1(%8 : i64)
^bb7:
  llvm.return
}

// Neither is a loop without a condition, nor one that divides by a constant.

// CHECK-LABEL: llvm.func @unconditional
// CHECK-NOT:     loop_annotation

llvm.func @unconditional(%a: !llvm.ptr, %n: i64, %d: i64) {
  %0 = llvm.mlir.constant(0 : i64) : i64
  %1 = llvm.mlir.constant(1 : i64) : i64
  %zero = llvm.mlir.constant(0.0 : f32) : f32
  llvm.br ^bb1(%0 : i64)
^bb1(%i: i64):
  %2 = llvm.icmp "slt" %i, %n : i64
  llvm.cond_br %2, ^bb2, ^bb3
^bb2:
  %3 = llvm.urem %i, %d : i64
  %4 = llvm.getelementptr %a[%3] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %zero, %4 : f32, !llvm.ptr
  %5 = llvm.add %i, %1 : i64
  llvm.br ^bb1(%5 : i64)
^bb3:
  llvm.return
}

// CHECK-LABEL: llvm.func @constant
// CHECK-NOT:     loop_annotation

llvm.func @constant(%a: !llvm.ptr, %n: i64, %m: i64) {
  %0 = llvm.mlir.constant(0 : i64) : i64
  %1 = llvm.mlir.constant(1 : i64) : i64
  %7 = llvm.mlir.constant(7 : i64) : i64
  %zero = llvm.mlir.constant(0.0 : f32) : f32
  llvm.br ^bb1(%0 : i64)
^bb1(%i: i64):
  %2 = llvm.icmp "slt" %i, %n : i64
  llvm.cond_br %2, ^bb2, ^bb5
^bb2:
  %3 = llvm.icmp "slt" %i, %m : i64
  llvm.cond_br %3, ^bb3, ^bb4
^bb3:
  %4 = llvm.urem %i, %7 : i64
  %5 = llvm.getelementptr %a[%4] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %zero, %5 : f32, !llvm.ptr
  llvm.br ^bb4
^bb4:
  %6 = llvm.add %i, %1 : i64
  llvm.br ^bb1(%6 : i64)
^bb5:
  llvm.return
}
