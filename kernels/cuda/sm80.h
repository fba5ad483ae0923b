// What came with compute capability 8.0: mma.sync on bytes, and copies to shared memory that run on their own.
#pragma once
#include "dev.h"

#if defined(__CUDA__)
#define MMA(X, Y)                                                                                                      \
  asm volatile("mma.sync.aligned.m16n8k32.row.col.s32." X "." Y                                                        \
               ".s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"                                            \
               : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])                                                        \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))
// c += a b, 16 x 32 by 32 x 8 bytes, each operand signed or not.
FN void mma(u32 c[4], const u32 a[4], const u32 b[2], bool x_signed, bool y_signed) {
  if (x_signed && y_signed) MMA("s8", "s8");
  else if (x_signed) MMA("s8", "u8");
  else if (y_signed) MMA("u8", "s8");
  else MMA("u8", "u8");
}

// The block's shared memory, as large as its launch says.
extern __attribute__((shared)) Quad cells[];
FN Quad load_cell(u32 at) { return cells[at]; }
// Starts to copy 16 bytes to a cell.
FN void copy_async(u32 at, const Quad *from) {
  __nvvm_cp_async_cg_shared_global_16((__attribute__((address_space(3))) void *)(cells + at),
                                      (const __attribute__((address_space(1))) void *)from);
}
// The copies that this thread has started since the last call are a group.
FN void commit_copies() { __nvvm_cp_async_commit_group(); }
// Waits for all of this thread's groups but the latest N.
template <int N> FN void await_copies() { __nvvm_cp_async_wait_group(N); }
// Waits for all threads of the block.
FN void barrier() { __syncthreads(); }
#else
#include "emu_sm80.h"
#endif
