; Runtime functions of generated code that the host's C library may lack.

; Rounds to the nearest bfloat16, ties to even; NaN is preserved.
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

; Via float, as in PyTorch.
define bfloat @__truncdfbf2(double %x) {
  %single = fptrunc double %x to float
  %result = call bfloat @__truncsfbf2(float %single)
  ret bfloat %result
}

; Called on processors without F16C. Infinity and NaN are preserved; subnormal halves are scaled by
; the multiplication, exactly.
define float @__extendhfsf2(half %x) {
  %short = bitcast half %x to i16
  %bits = zext i16 %short to i32
  %sign = and i32 %bits, 32768
  %high_sign = shl i32 %sign, 16
  %rest = and i32 %bits, 32767
  %moved = shl i32 %rest, 13
  %small = bitcast i32 %moved to float
  %scaled = fmul float %small, 0x46F0000000000000 ; 2 ** 112
  %number = bitcast float %scaled to i32
  %is_special = icmp uge i32 %rest, 31744
  %special = or i32 %moved, 2139095040
  %chosen = select i1 %is_special, i32 %special, i32 %number
  %signed = or i32 %chosen, %high_sign
  %result = bitcast i32 %signed to float
  ret float %result
}

; Rounds to the nearest half, ties to even; NaN is preserved.
define half @__truncsfhf2(float %x) {
  %bits = bitcast float %x to i32
  %high = lshr i32 %bits, 16
  %sign = and i32 %high, 32768
  %rest = and i32 %bits, 2147483647
  ; A normal one: the exponent's bias changes, and half of the last place is added.
  %last = lshr i32 %rest, 13
  %odd = and i32 %last, 1
  %biased = add i32 %rest, 3355447295 ; ((15 - 127) << 23) + 0xFFF
  %more = add i32 %biased, %odd
  %normal = lshr i32 %more, 13
  ; A subnormal one: adding 0.5 moves its digits to the end of the float's.
  %absolute = bitcast i32 %rest to float
  %moved = fadd float %absolute, 5.0e-01
  %moved_bits = bitcast float %moved to i32
  %subnormal = sub i32 %moved_bits, 1056964608
  %is_small = icmp ult i32 %rest, 947912704
  %finite = select i1 %is_small, i32 %subnormal, i32 %normal
  %is_large = icmp uge i32 %rest, 1199570944
  %is_nan = icmp ugt i32 %rest, 2139095040
  %large = select i1 %is_nan, i32 32256, i32 31744
  %chosen = select i1 %is_large, i32 %large, i32 %finite
  %signed = or i32 %chosen, %sign
  %short = trunc i32 %signed to i16
  %result = bitcast i16 %short to half
  ret half %result
}

; Via float, as in PyTorch.
define half @__truncdfhf2(double %x) {
  %single = fptrunc double %x to float
  %result = call half @__truncsfhf2(float %single)
  ret half %result
}

; The allocations of a call (passes/lowering/llvm/track_allocations.py): a doubly linked list of blocks.
; A block starts with a header of 48 bytes:
;   0 the previous block, 1 the next one, 2 the call's record, 3 the size in bytes;
;   the last word is unused; memory tools monitor it.
; The record of a call has six words; the program gets the address of the first:
;   0 the status, 1 the bytes that could not be allocated, 2 a lock, 3 the first block,
;   4 the first free block, 5 the last log.
; Large freed blocks are kept in a free list, most recently freed first, for allocations of similar
; size in this call or a later one with the same record: the system would unmap them, and fault in
; new memory page by page. The length of the list is bounded.

declare ptr @malloc(i64)
declare void @free(ptr)

define ptr @torch_refine_allocate_tracked(ptr %record, i64 %count) {
entry:
  %is_large = icmp uge i64 %count, 65536
  br i1 %is_large, label %search, label %new

search:
  %found = call ptr @take_kept(ptr %record, i64 %count)
  %is_found = icmp ne ptr %found, null
  br i1 %is_found, label %link, label %new

new:
  %more = add i64 %count, 48
  %made = call ptr @malloc(i64 %more)
  %failed = icmp eq ptr %made, null
  br i1 %failed, label %again, label %sized

again:
  call void @torch_refine_free_kept(ptr %record)
  %second = call ptr @malloc(i64 %more)
  %failed_again = icmp eq ptr %second, null
  br i1 %failed_again, label %none, label %sized

none:
  %bytes = getelementptr i64, ptr %record, i64 1
  store i64 %count, ptr %bytes
  ret ptr null

sized:
  %fresh = phi ptr [ %made, %new ], [ %second, %again ]
  %size_place = getelementptr i64, ptr %fresh, i64 3
  store i64 %count, ptr %size_place
  br label %link

link:
  %block = phi ptr [ %found, %search ], [ %fresh, %sized ]
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
  %memory = getelementptr i8, ptr %block, i64 48
  ret ptr %memory
}

; A free block of at least this size, and at most twice; null if there is none. If the free list is
; full and has no such block, the least recently freed one is returned to the system.
define private ptr @take_kept(ptr %record, i64 %count) {
entry:
  call void @lock(ptr %record)
  %head = getelementptr i64, ptr %record, i64 4
  %most = shl i64 %count, 1
  br label %look

look:
  %place = phi ptr [ %head, %entry ], [ %next_place, %other ]
  %before = phi ptr [ null, %entry ], [ %place, %other ]
  %passed = phi i64 [ 0, %entry ], [ %passed_more, %other ]
  %block = load ptr, ptr %place
  %is_last = icmp eq ptr %block, null
  br i1 %is_last, label %missed, label %compare

compare:
  %size_place = getelementptr i64, ptr %block, i64 3
  %size = load i64, ptr %size_place
  %is_enough = icmp uge i64 %size, %count
  %is_close = icmp ule i64 %size, %most
  %fits = and i1 %is_enough, %is_close
  %next_place = getelementptr ptr, ptr %block, i64 1
  br i1 %fits, label %take, label %other

other:
  %passed_more = add i64 %passed, 1
  br label %look

take:
  %next = load ptr, ptr %next_place
  store ptr %next, ptr %place
  call void @unlock(ptr %record)
  ret ptr %block

missed:
  %are_many = icmp ugt i64 %passed, 64
  br i1 %are_many, label %drop, label %leave

drop:
  %oldest = load ptr, ptr %before
  store ptr null, ptr %before
  call void @unlock(ptr %record)
  call void @free(ptr %oldest)
  ret ptr null

leave:
  call void @unlock(ptr %record)
  ret ptr null
}

; Returns all free blocks to the system.
define void @torch_refine_free_kept(ptr %record) {
entry:
  call void @lock(ptr %record)
  %head = getelementptr i64, ptr %record, i64 4
  %first = load ptr, ptr %head
  store ptr null, ptr %head
  call void @unlock(ptr %record)
  br label %look

look:
  %block = phi ptr [ %first, %entry ], [ %next, %one ]
  %is_last = icmp eq ptr %block, null
  br i1 %is_last, label %done, label %one

one:
  %next_place = getelementptr ptr, ptr %block, i64 1
  %next = load ptr, ptr %next_place
  call void @free(ptr %block)
  br label %look

done:
  ret void
}

define void @torch_refine_free_tracked(ptr %memory) {
  %block = getelementptr i8, ptr %memory, i64 -48
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
  %size_place = getelementptr i64, ptr %block, i64 3
  %size = load i64, ptr %size_place
  %is_large = icmp uge i64 %size, 65536
  br i1 %is_large, label %keep, label %give

keep:
  %kept = getelementptr i64, ptr %record, i64 4
  %kept_before = load ptr, ptr %kept
  store ptr %kept_before, ptr %next_place
  store ptr %block, ptr %kept
  call void @unlock(ptr %record)
  ret void

give:
  call void @unlock(ptr %record)
  call void @free(ptr %block)
  ret void
}

; Memory for a log (passes/lowering/buffers/update_in_place.py) of elements that are about to be
; overwritten: a block of the call, whose first words are the log before it, the count, the width.
define i64 @torch_refine_log_tracked(ptr %record, i64 %count, i64 %width) {
entry:
  %each = add i64 %width, 8
  %bytes = mul i64 %count, %each
  %all = add i64 %bytes, 32
  %log = call ptr @torch_refine_allocate_tracked(ptr %record, i64 %all)
  %failed = icmp eq ptr %log, null
  br i1 %failed, label %none, label %made

none:
  ret i64 0

made:
  %head = getelementptr i64, ptr %record, i64 5
  %before = load ptr, ptr %head
  store ptr %before, ptr %log
  %count_place = getelementptr i64, ptr %log, i64 1
  store i64 %count, ptr %count_place
  %width_place = getelementptr i64, ptr %log, i64 2
  store i64 %width, ptr %width_place
  store ptr %log, ptr %head
  %address = ptrtoint ptr %log to i64
  ret i64 %address
}

; The call succeeds: its logs are not needed.
define void @torch_refine_commit_tracked(ptr %record) {
entry:
  %head = getelementptr i64, ptr %record, i64 5
  %first = load ptr, ptr %head
  store ptr null, ptr %head
  br label %look

look:
  %log = phi ptr [ %first, %entry ], [ %next, %one ]
  %is_last = icmp eq ptr %log, null
  br i1 %is_last, label %done, label %one

one:
  %next = load ptr, ptr %log
  call void @torch_refine_free_tracked(ptr %log)
  br label %look

done:
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
