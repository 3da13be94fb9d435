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

; What a call has allocated (passes/lowering/track_allocations.py): a list of blocks that are linked
; both ways. A block starts with 32 bytes that the program does not see:
;   0 the block before it in the list, 1 the one behind it, 2 the call's record.
; The record of a call is four words, of which the program is passed the first:
;   0 the status, 1 the bytes that could not be allocated, 2 a lock, 3 the first block.

declare ptr @malloc(i64)
declare void @free(ptr)

define ptr @torch_refine_allocate_tracked(ptr %record, i64 %count) {
  %more = add i64 %count, 32
  %block = call ptr @malloc(i64 %more)
  %failed = icmp eq ptr %block, null
  br i1 %failed, label %none, label %link

none:
  %bytes = getelementptr i64, ptr %record, i64 1
  store i64 %count, ptr %bytes
  ret ptr null

link:
  call void @lock(ptr %record)
  %head = getelementptr i64, ptr %record, i64 3
  %next = load ptr, ptr %head
  store ptr null, ptr %block
  %next_place = getelementptr ptr, ptr %block, i64 1
  store ptr %next, ptr %next_place
  %record_place = getelementptr ptr, ptr %block, i64 2
  store ptr %record, ptr %record_place
  store ptr %block, ptr %head
  %is_first = icmp eq ptr %next, null
  br i1 %is_first, label %done, label %link_back

link_back:
  store ptr %block, ptr %next
  br label %done

done:
  call void @unlock(ptr %record)
  %memory = getelementptr i8, ptr %block, i64 32
  ret ptr %memory
}

define void @torch_refine_free_tracked(ptr %memory) {
  %block = getelementptr i8, ptr %memory, i64 -32
  %record_place = getelementptr ptr, ptr %block, i64 2
  %record = load ptr, ptr %record_place
  call void @lock(ptr %record)
  %previous = load ptr, ptr %block
  %next_place = getelementptr ptr, ptr %block, i64 1
  %next = load ptr, ptr %next_place
  %is_first = icmp eq ptr %previous, null
  %head = getelementptr i64, ptr %record, i64 3
  %behind = getelementptr ptr, ptr %previous, i64 1
  %place = select i1 %is_first, ptr %head, ptr %behind
  store ptr %next, ptr %place
  %is_last = icmp eq ptr %next, null
  br i1 %is_last, label %done, label %link_back

link_back:
  store ptr %previous, ptr %next
  br label %done

done:
  call void @unlock(ptr %record)
  call void @free(ptr %block)
  ret void
}

; Threads of a parallel loop may allocate at the same time.
define private void @lock(ptr %record) {
entry:
  %place = getelementptr i64, ptr %record, i64 2
  br label %try

try:
  %before = atomicrmw xchg ptr %place, i64 1 acquire
  %is_free = icmp eq i64 %before, 0
  br i1 %is_free, label %taken, label %try

taken:
  ret void
}

define private void @unlock(ptr %record) {
  %place = getelementptr i64, ptr %record, i64 2
  store atomic i64 0, ptr %place release, align 8
  ret void
}
