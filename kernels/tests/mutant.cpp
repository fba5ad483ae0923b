// A product by tiles on the emulation, from sources that tests/mutants.rs has altered: 0 if it is right, 1 if not.
#include "split.cu"
#include "tiled.cu"

int main() {
  // More than a block each way, an edge each way, more than one span of the altered sums.h.
  constexpr u32 M = 70, K = 200, N = 70;
  auto entry = [](u64 i) { i = (i + 1) * 0x9e3779b97f4a7c15; return (i ^ i >> 29) * 0xd6e8feb86659fd93; };
  std::vector<u64> x(M * K), y(K * N), z(M * N), want(M * N);
  for (u32 i = 0; i < M * K; i++) x[i] = entry(i);
  for (u32 i = 0; i < K * N; i++) y[i] = entry(M * K + i);
  for (u32 i = 0; i < M; i++)
    for (u32 j = 0; j < N; j++)
      for (u32 k = 0; k < K; k++) want[i * N + j] += x[i * K + k] * y[j * K + k];

  auto split = [](const u64 *entries, u32 lines, u32 pairs) {
    u32 fragments = strips_of(lines) * steps_of(K);
    std::vector<Quad> planes(fragments * 8 * 32);
    emu::launch((fragments + 3) / 4, 1, 128, 0, [&] { split_u64(planes.data(), entries, {K, 1, lines, K, pairs}); });
    return planes;
  };
  std::vector<Quad> rows = split(x.data(), M, 0), columns = split(y.data(), N, 1);
  using T = tiled::Tile<Planes<u64, u64, u64>>;
  u32 tiles = (M + 16 * T::BLOCK_DOWN - 1) / (16 * T::BLOCK_DOWN) * ((N + 16 * T::BLOCK_ACROSS - 1) / (16 * T::BLOCK_ACROSS));
  emu::launch(tiles, 1, tiled::THREADS, tiled::SHARED,
              [&] { tiled_u64_u64_u64(z.data(), rows.data(), columns.data(), {N, 1, K, 1, K, 1, M, N, K, 0}); });
  return z != want;
}
