// The kernels built for the host: launched by name with CUDA's own array of parameters.
#include "sample.cu"
#include "matmul.cu"
#include "imad.cu"

template <class T> static T arg(void **p, int i) { return *(T *)p[i]; }

template <class T> static void product(void (*f)(T *, const T *, const T *, u32, u32, u32), u32 gx, u32 gy, u32 bx, void **p) {
  emu::launch(gx, gy, bx, [&] {
    f(arg<T *>(p, 0), arg<const T *>(p, 1), arg<const T *>(p, 2), arg<u32>(p, 3), arg<u32>(p, 4), arg<u32>(p, 5));
  });
}

extern "C" int tautochrone_emulate(const char *name, u32 gx, u32 gy, u32 bx, void **p) {
  auto is = [&](const char *other) { return strcmp(name, other) == 0; };
  if (is("uniform")) emu::launch(gx, gy, bx, [&] { uniform(arg<u64 *>(p, 0), arg<u64>(p, 1), arg<Key>(p, 2)); });
  else if (is("facct")) emu::launch(gx, gy, bx, [&] {
    facct(arg<i64 *>(p, 0), arg<u64>(p, 1), arg<u32>(p, 2), arg<Key>(p, 3), arg<const Constants *>(p, 4));
  });
  else if (is("matmul8")) product(matmul8, gx, gy, bx, p);
  else if (is("matmul16")) product(matmul16, gx, gy, bx, p);
  else if (is("matmul32")) product(matmul32, gx, gy, bx, p);
  else if (is("matmul64")) product(matmul64, gx, gy, bx, p);
  else if (is("imad8")) product(imad8, gx, gy, bx, p);
  else if (is("imad16")) product(imad16, gx, gy, bx, p);
  else if (is("imad32")) product(imad32, gx, gy, bx, p);
  else if (is("imad64")) product(imad64, gx, gy, bx, p);
  else return 500;
  return 0;
}
