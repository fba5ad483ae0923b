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
#define MEMBER __device__ inline __attribute__((always_inline))
#define KERNEL extern "C" __global__ void
#define __launch_bounds__(threads) __attribute__((launch_bounds(threads)))
#define TID_X __nvvm_read_ptx_sreg_tid_x()
#define CTAID_X __nvvm_read_ptx_sreg_ctaid_x()
#define NTID_X __nvvm_read_ptx_sreg_ntid_x()
FN double fmad(double a, double b, double c) { return __nvvm_fma_rn_d(a, b, c); }
FN double as_double(u64 bits) { return __builtin_bit_cast(double, bits); }
FN u64 as_bits(double value) { return __builtin_bit_cast(u64, value); }
FN u32 ballot(bool vote) { return __nvvm_vote_ballot_sync(~0u, vote); }
FN u32 permute(u32 a, u32 b, u32 selector) { return __nvvm_prmt(a, b, selector); }
FN u32 shuffle(u32 value, u32 lane) { return (u32)__nvvm_shfl_sync_idx_i32(~0u, (int)value, (int)lane, 31); }
#else
#include "emu.h"
#endif

// Unrolled, so that arrays indexed by I stay in registers.
#define EACH(I, N) _Pragma("unroll") for (u32 I = 0; I < (N); I++)

// What a lane reads or copies at once.
struct alignas(16) Quad {
  u32 w[4];
};
