; Runtime functions of host programs (passes/lowering/gpu/host/launch_through_driver.py). Each takes
; the address of a table, whose words are described in table.py:
;   0 launches a kernel, 1 copies, 2 allocates, 3 frees, 4 the stream, 5 the first error, 6 gives the
;   address of a constant on the GPU, 7 and on: the kernels.

define void @torch_refine_launch(i64 %table, i64 %kernel, i64 %bx, i64 %by, i64 %bz, i64 %tx, i64 %ty, i64 %tz, i64 %shared, i64 %parameters) {
  %words = inttoptr i64 %table to ptr
  ; Where something failed before, there may be no memory to work in.
  %is_well = call i1 @is_well(ptr %words)
  br i1 %is_well, label %counts, label %skips
skips:
  ret void
counts:
  ; What does not fit a grid would be another number of blocks in 32 bits.
  %bx_fits = icmp ule i64 %bx, 2147483647
  %by_fits = icmp ule i64 %by, 65535
  %bz_fits = icmp ule i64 %bz, 65535
  %bxy_fit = and i1 %bx_fits, %by_fits
  %fits = and i1 %bxy_fit, %bz_fits
  br i1 %fits, label %launches, label %refuses
refuses:
  ; No error of the driver has this number (table.py).
  call void @note_error(ptr %words, i32 -1)
  ret void
launches:
  %launch = load ptr, ptr %words
  %stream_place = getelementptr i64, ptr %words, i64 4
  %stream = load ptr, ptr %stream_place
  %number = add i64 %kernel, 7
  %place = getelementptr i64, ptr %words, i64 %number
  %function = load ptr, ptr %place
  %bx32 = trunc i64 %bx to i32
  %by32 = trunc i64 %by to i32
  %bz32 = trunc i64 %bz to i32
  %tx32 = trunc i64 %tx to i32
  %ty32 = trunc i64 %ty to i32
  %tz32 = trunc i64 %tz to i32
  %shared32 = trunc i64 %shared to i32
  %pointer = inttoptr i64 %parameters to ptr
  %error = call i32 %launch(ptr %function, i32 %bx32, i32 %by32, i32 %bz32, i32 %tx32, i32 %ty32, i32 %tz32, i32 %shared32, ptr %stream, ptr %pointer, ptr null)
  call void @note_error(ptr %words, i32 %error)
  ret void
}

define void @torch_refine_copy(i64 %table, i64 %target, i64 %source, i64 %count) {
  %words = inttoptr i64 %table to ptr
  %is_well = call i1 @is_well(ptr %words)
  br i1 %is_well, label %copies, label %skips
skips:
  ret void
copies:
  %copy_place = getelementptr i64, ptr %words, i64 1
  %copy = load ptr, ptr %copy_place
  %stream_place = getelementptr i64, ptr %words, i64 4
  %stream = load ptr, ptr %stream_place
  %error = call i32 %copy(i64 %target, i64 %source, i64 %count, ptr %stream)
  call void @note_error(ptr %words, i32 %error)
  ret void
}

; A memref descriptor: pointers, offset, size, stride.
define { ptr, ptr, i64, [1 x i64], [1 x i64] } @torch_refine_allocate(i64 %table, i64 %count) {
  %words = inttoptr i64 %table to ptr
  %allocate_place = getelementptr i64, ptr %words, i64 2
  %allocate = load ptr, ptr %allocate_place
  %address = call i64 %allocate(i64 %count)
  %pointer = inttoptr i64 %address to ptr
  %d0 = insertvalue { ptr, ptr, i64, [1 x i64], [1 x i64] } zeroinitializer, ptr %pointer, 0
  %d1 = insertvalue { ptr, ptr, i64, [1 x i64], [1 x i64] } %d0, ptr %pointer, 1
  %d2 = insertvalue { ptr, ptr, i64, [1 x i64], [1 x i64] } %d1, i64 %count, 3, 0
  %d3 = insertvalue { ptr, ptr, i64, [1 x i64], [1 x i64] } %d2, i64 1, 4, 0
  ret { ptr, ptr, i64, [1 x i64], [1 x i64] } %d3
}

; The host's memory of the source does not change.
define { ptr, ptr, i64, [1 x i64], [1 x i64] } @torch_refine_constant(i64 %table, i64 %source, i64 %count) {
  %words = inttoptr i64 %table to ptr
  %constant_place = getelementptr i64, ptr %words, i64 6
  %constant = load ptr, ptr %constant_place
  %address = call i64 %constant(i64 %source, i64 %count)
  %pointer = inttoptr i64 %address to ptr
  %d0 = insertvalue { ptr, ptr, i64, [1 x i64], [1 x i64] } zeroinitializer, ptr %pointer, 0
  %d1 = insertvalue { ptr, ptr, i64, [1 x i64], [1 x i64] } %d0, ptr %pointer, 1
  %d2 = insertvalue { ptr, ptr, i64, [1 x i64], [1 x i64] } %d1, i64 %count, 3, 0
  %d3 = insertvalue { ptr, ptr, i64, [1 x i64], [1 x i64] } %d2, i64 1, 4, 0
  ret { ptr, ptr, i64, [1 x i64], [1 x i64] } %d3
}

define void @torch_refine_free(i64 %table, i64 %address) {
  %words = inttoptr i64 %table to ptr
  %free_place = getelementptr i64, ptr %words, i64 3
  %free = load ptr, ptr %free_place
  call void %free(i64 %address)
  ret void
}

define private i1 @is_well(ptr %words) {
  %place = getelementptr i64, ptr %words, i64 5
  %first = load i64, ptr %place
  %is_well = icmp eq i64 %first, 0
  ret i1 %is_well
}

define private void @note_error(ptr %words, i32 %error) {
  %place = getelementptr i64, ptr %words, i64 5
  %first = load i64, ptr %place
  %is_first = icmp eq i64 %first, 0
  %wide = zext i32 %error to i64
  %kept = select i1 %is_first, i64 %wide, i64 %first
  store i64 %kept, ptr %place
  ret void
}
