// RUN: torch-refine-opt %s --use-full-vectors | filecheck %s

llvm.func @declared()

llvm.func @defined() {
  llvm.return
}

// CHECK:      llvm.func @declared()
// CHECK-NEXT: llvm.func @defined() attributes {passthrough = {{.*}}"prefer-vector-width", "512"
