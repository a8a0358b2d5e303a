// SPDX-License-Identifier: Apache-2.0
// A plain Kokkos program: its own initialize, its own Views and kernels, which gives one routine to Tessera.

#include <Kokkos_Core.hpp>

#include <tessera/kokkos.hpp>

#include <cmath>
#include <cstdio>

namespace ts = tessera;

struct lane : ts::axis {};
using lanes = ts::mesh<ts::explicit_axis<lane, 4>>;

// Rows of weights, each of which adds up to 1.
struct weights_of {
  constexpr auto operator()(auto scores) const { return ts::softmax(scores); }
};
// The routine: from a View to a View, over all devices.
void weigh(Kokkos::View<double**> const& scores, Kokkos::View<double**> const& weights) {
  auto const mesh = ts::make_mesh<lanes>(ts::local_devices());
  auto const x = ts::adopt<ts::P<lane>>(ts::stepped<64, 16>(scores), mesh, scores);
  ts::copy_to(ts::jit<weights_of>(x), weights);
}

int main(int argc, char** argv) {
  Kokkos::initialize(argc, argv);
  int wrong = 0;
  {
    Kokkos::View<double**> const scores("scores", 64, 16), weights("weights", 64, 16);
    Kokkos::parallel_for(
        "scores", Kokkos::MDRangePolicy<Kokkos::Rank<2>>({0, 0}, {64, 16}),
        KOKKOS_LAMBDA(int i, int j) { scores(i, j) = std::sin(i + 3 * j); });
    weigh(scores, weights);
    Kokkos::parallel_reduce(
        "check", 64,
        KOKKOS_LAMBDA(int i, int& bad) {
          double sum = 0;
          for (int j = 0; j < 16; ++j) sum += weights(i, j);
          bad += std::fabs(sum - 1) > 1e-12;
        },
        wrong);
    wrong += scores.use_count() != 1;  // the array that had it is gone
  }
  Kokkos::finalize();
  std::printf("kokkos program: %s\n", wrong == 0 ? "ok" : "wrong");
  return wrong;
}
