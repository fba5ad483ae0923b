// One source for two compilers: clang -x cuda without CUDA headers (the PTX), and a C++17 compiler (emu.h).
#pragma once
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef signed char i8;
typedef short i16;
typedef int i32;
typedef long long i64;

#if defined(__CUDA__)
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define FN static __device__ inline __attribute__((always_inline))
#define KERNEL extern "C" __global__ void
#define __launch_bounds__(threads) __attribute__((launch_bounds(threads)))
#define TID_X __nvvm_read_ptx_sreg_tid_x()
#define CTAID_X __nvvm_read_ptx_sreg_ctaid_x()
#define CTAID_Y __nvvm_read_ptx_sreg_ctaid_y()
#define NTID_X __nvvm_read_ptx_sreg_ntid_x()
FN double fmad(double a, double b, double c) { return __nvvm_fma_rn_d(a, b, c); }
FN double as_double(u64 bits) { return __builtin_bit_cast(double, bits); }
FN u64 as_bits(double value) { return __builtin_bit_cast(u64, value); }
FN u32 ballot(bool vote) { return __nvvm_vote_ballot_sync(~0u, vote); }
FN u32 permute(u32 a, u32 b, u32 selector) { return __nvvm_prmt(a, b, selector); }
FN u32 shuffle(u32 value, u32 lane) { return (u32)__nvvm_shfl_sync_idx_i32(~0u, (int)value, (int)lane, 31); }
#if !defined(WITHOUT_MMA)
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
#endif
#else
#include "emu.h"
#endif
