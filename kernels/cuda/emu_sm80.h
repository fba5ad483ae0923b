// sm80.h on the host. Shared memory knows who touched it and when: an access that some order of the block's threads, or
// some speed of its copies, would turn into another result aborts, whatever the order in which the fibers happen to run.
#pragma once
#include <cstdint>

namespace emu {
[[noreturn]] inline void race(const char *why, u32 at) {
  Block &b = block();
  fprintf(stderr, "emulation: thread %u of block %u,%u, cell %u: %s\n", b.tid, b.x, b.y, at, why);
  abort();
}

inline Shared &shared(u32 at) {
  Block &b = block();
  if (at >= b.cells.size()) race("beyond the shared memory of the launch", at);
  return b.cells[at];
}

// Whether another thread has written it in this phase, in which the threads' accesses have no order.
inline bool written_by_another(const Shared &cell) {
  return cell.written == block().phase && cell.writer != block().tid;
}
} // namespace emu

FN Quad load_cell(u32 at) {
  emu::Shared &cell = emu::shared(at);
  if (cell.copied) emu::race("read while a copy to it is under way", at);
  if (cell.written == emu::NEVER) emu::race("read before it was written", at);
  if (emu::written_by_another(cell)) emu::race("read what another thread has copied, without a barrier", at);
  cell.read = emu::block().phase;
  Quad q;
  memcpy(&q, cell.bytes, sizeof q);
  return q;
}

// The bytes come when the thread waits for them; what was there is lost at once.
FN void copy_async(u32 at, const Quad *from) {
  emu::Block &b = emu::block();
  emu::Shared &cell = emu::shared(at);
  if ((uintptr_t)from % sizeof(Quad) != 0) emu::race("copied from an address that is no multiple of 16", at);
  if (cell.copied) emu::race("two copies to it are under way", at);
  if (cell.read == b.phase) emu::race("copied over while another thread may still read it: no barrier since", at);
  if (emu::written_by_another(cell)) emu::race("two threads copy to it without a barrier between", at);
  cell.copied = true;
  b.fibers[b.tid].copies.push_back({b.fibers[b.tid].groups, at, from});
}

FN void commit_copies() {
  emu::Block &b = emu::block();
  b.fibers[b.tid].groups++;
}

template <int N> FN void await_copies() {
  emu::Block &b = emu::block();
  emu::Fiber &f = b.fibers[b.tid];
  size_t kept = 0;
  for (const emu::Copy &copy : f.copies) {
    if (copy.group + N >= f.groups) {
      f.copies[kept++] = copy;
      continue;
    }
    emu::Shared &cell = emu::shared(copy.at);
    memcpy(cell.bytes, copy.from, sizeof cell.bytes);
    cell.copied = false;
    cell.written = b.phase, cell.writer = b.tid;
  }
  f.copies.resize(kept);
}

FN void barrier() { emu::wait(emu::AT_BARRIER); }

// The sum of 32 products of bytes, signed or not.
template <class L, class R> FN u32 dot(const u32 left[8], const u32 right[8]) {
  L l[32];
  R r[32];
  memcpy(l, left, 32), memcpy(r, right, 32);
  i32 sum = 0;
  for (int k = 0; k < 32; k++) sum += (i32)l[k] * (i32)r[k];
  return (u32)sum;
}

// mma.sync.aligned m16n8k32 on bytes, + s32 (wrapping), fragments laid out as in the PTX ISA.
FN void mma(u32 c[4], const u32 a[4], const u32 bb[2], bool x_signed, bool y_signed) {
  emu::Block &b = emu::block();
  u32 warp = b.tid & ~31u, lane = b.tid & 31;
  for (int i = 0; i < 4; i++) b.mail[b.tid][i] = a[i];
  for (int i = 0; i < 2; i++) b.mail[b.tid][4 + i] = bb[i];
  emu::meet();
  for (u32 i = 0; i < 4; i++) {
    u32 row = lane / 4 + (i / 2) * 8, column = lane % 4 * 2 + i % 2, left[8], right[8];
    for (u32 k = 0; k < 8; k++) {
      left[k] = b.mail[warp + row % 8 * 4 + k % 4][k / 4 * 2 + row / 8];
      right[k] = b.mail[warp + column * 4 + k % 4][4 + k / 4];
    }
    if (x_signed && y_signed) c[i] += dot<i8, i8>(left, right);
    else if (x_signed) c[i] += dot<i8, u8>(left, right);
    else if (y_signed) c[i] += dot<u8, i8>(left, right);
    else c[i] += dot<u8, u8>(left, right);
  }
  emu::meet();
}
