// The byte planes of an operand as split.cu leaves them in global memory for tiled.cu: for each strip of 16 lines,
// step of 32 entries and plane a fragment, which is a Quad for each lane; [strip][step][plane][lane]. Any run of steps of a
// strip lies in one piece, and lanes read successive Quads, so that no banks of shared memory conflict. Steps are even in
// number; entries beyond the last are zero.
#pragma once
#include "dev.h"

FN u32 steps_of(u32 length) { return (length + 63) / 64 * 2; }
FN u32 strips_of(u32 lines) { return (lines + 15) / 16; }

// Types of X and Y in product.h.
#define OPERANDS(KERNEL_OF)                                                                                            \
  KERNEL_OF(u8) KERNEL_OF(u16) KERNEL_OF(u32) KERNEL_OF(u64) KERNEL_OF(i8) KERNEL_OF(i16) KERNEL_OF(i32)
