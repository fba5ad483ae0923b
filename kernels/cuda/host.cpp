// The kernels built for the host: launched by name with CUDA's own array of parameters.
#include "sample.cu"
#include "matmul.cu"
#include "imad.cu"

template <class T> static T arg(void **p, int i) { return *(T *)p[i]; }

#define RUN(F, Z, X, Y)                                                                                                \
  if (is(#F "_" #Z "_" #X "_" #Y)) {                                                                                   \
    emu::launch(gx, gy, bx, [&] {                                                                                      \
      F##_##Z##_##X##_##Y(arg<Z *>(p, 0), arg<const X *>(p, 1), arg<const Y *>(p, 2), arg<Product>(p, 3));             \
    });                                                                                                                \
    return 0;                                                                                                          \
  }
#define RUN_MATMUL(Z, X, Y) RUN(matmul, Z, X, Y)
#define RUN_IMAD(Z, X, Y) RUN(imad, Z, X, Y)

// 0, or 500 if there is no such kernel.
extern "C" int tautochrone_emulate(const char *name, u32 gx, u32 gy, u32 bx, void **p) {
  auto is = [&](const char *other) { return strcmp(name, other) == 0; };
  PRODUCTS(RUN_MATMUL)
  PRODUCTS(RUN_IMAD)
  if (is("uniform")) emu::launch(gx, gy, bx, [&] { uniform(arg<u64 *>(p, 0), arg<u64>(p, 1), arg<Key>(p, 2)); });
  else if (is("facct")) emu::launch(gx, gy, bx, [&] {
    facct(arg<i64 *>(p, 0), arg<u64>(p, 1), arg<u32>(p, 2), arg<Key>(p, 3), arg<const Constants *>(p, 4));
  });
  else return 500;
  return 0;
}
