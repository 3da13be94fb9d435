; Functions that generated code calls and that the C library of the host may lack.

; Rounds to the nearest bfloat16, ties to even; what is no number stays none.
define bfloat @__truncsfbf2(float %x) {
  %bits = bitcast float %x to i32
  %high = lshr i32 %bits, 16
  %odd = and i32 %high, 1
  %bias = add i32 %odd, 32767
  %rounded = add i32 %bits, %bias
  %number = lshr i32 %rounded, 16
  %quiet = or i32 %high, 64
  %is_nan = fcmp uno float %x, 0.0
  %chosen = select i1 %is_nan, i32 %quiet, i32 %number
  %short = trunc i32 %chosen to i16
  %result = bitcast i16 %short to bfloat
  ret bfloat %result
}

; By way of float, as PyTorch converts.
define bfloat @__truncdfbf2(double %x) {
  %single = fptrunc double %x to float
  %result = call bfloat @__truncsfbf2(float %single)
  ret bfloat %result
}
