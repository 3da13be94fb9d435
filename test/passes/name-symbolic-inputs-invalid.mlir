// RUN: torch-refine-opt %s --split-input-file "--torch-name-symbolic-inputs=inputs=main:0=[n,4]" --verify-diagnostics=only-expected
// RUN: not torch-refine-opt %s "--symbolic-inputs=main:0=[n,4" --cse 2>&1 | filecheck %s --check-prefix=USAGE
// RUN: not torch-refine-opt %s "--symbolic-inputs=main:0=[n%%0]" --cse 2>&1 | filecheck %s --check-prefix=ZERO
// RUN: not torch-refine-opt %s "--symbolic-inputs=main:0=[n>=3<=2]" --cse 2>&1 | filecheck %s --check-prefix=EMPTY
// RUN: not torch-refine-opt %s "--symbolic-inputs=main:0=[n];main:0=[m]" --cse 2>&1 | filecheck %s --check-prefix=TWICE

// USAGE: --symbolic-inputs: expected an entry such as main:0=[batch,seq%8], not 'main:0=[n,4'
// ZERO: a size is no multiple of 0
// EMPTY: no size is at least 3 and at most 2
// TWICE: argument 0 of main is named twice

// expected-error @below {{torch-name-symbolic-inputs: no function main with a body}}
module {
  func.func @other() {
    return
  }
}

// -----

// expected-error @below {{torch-name-symbolic-inputs: main has 0 arguments, and none with number 0}}
module {
  func.func @main() {
    return
  }
}

// -----

// expected-error @below {{torch-name-symbolic-inputs: argument 0 of main is no tensor with value semantics, but !torch.int}}
module {
  func.func @main(%arg0: !torch.int) {
    return
  }
}

// -----

// expected-error @below {{torch-name-symbolic-inputs: argument 0 of main has 1 sizes, and 2 are named}}
module {
  func.func @main(%arg0: !torch.vtensor<[?],f32>) {
    return
  }
}

// -----

// expected-error @below {{torch-name-symbolic-inputs: size 0 of argument 0 of main is 3, not n}}
module {
  func.func @main(%arg0: !torch.vtensor<[3,?],f32>) {
    return
  }
}
