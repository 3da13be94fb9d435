// RUN: torch-refine-opt %s --disable-vectorization | filecheck %s

// A loop in one of OpenMP is not unrolled, either.

// CHECK:       #loop_annotation = #llvm.loop_annotation<vectorize = #loop_vectorize, unroll = #loop_unroll>
// CHECK-LABEL: llvm.func @parallel
// CHECK:       omp.loop_nest
// CHECK:         llvm.br ^bb1({{.*}}) {loop_annotation = #loop_annotation}

llvm.func @parallel(%a: !llvm.ptr, %n: i64, %m: i64, %d: i64) {
  %0 = llvm.mlir.constant(0 : i64) : i64
  %1 = llvm.mlir.constant(1 : i64) : i64
  %3 = llvm.mlir.constant(3 : i64) : i64
  %zero = llvm.mlir.constant(0.0 : f32) : f32
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : i64 = (%0) to (%n) step (%1) {
        llvm.br ^bb1(%0 : i64)
      ^bb1(%j: i64):
        %4 = llvm.icmp "slt" %j, %3 : i64
        llvm.cond_br %4, ^bb2, ^bb5
      ^bb2:
        %5 = llvm.icmp "slt" %j, %m : i64
        llvm.cond_br %5, ^bb3, ^bb4
      ^bb3:
        %6 = llvm.urem %i, %d : i64
        %7 = llvm.getelementptr %a[%6] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %zero, %7 : f32, !llvm.ptr
        llvm.br ^bb4
      ^bb4:
        %8 = llvm.add %j, %1 : i64
        llvm.br ^bb1(%8 : i64)
      ^bb5:
        omp.yield
      }
    }
    omp.terminator
  }
  llvm.return
}
