// SPDX-License-Identifier: Apache-2.0
// Heat in a plate, split by rows over four devices. The stencil is a Kokkos kernel on each device's block; what goes from
// block to block, rows of a halo and the sum of what changed, is Tessera's, in one program with it. At the end it equals
// the same kernel on the whole plate, written with Kokkos alone.

#include "one_speaks.hpp"

#include <tessera/kokkos.hpp>

#include <cmath>
#include <cstdio>
#include <iostream>
#include <vector>

namespace ts = tessera;

namespace {

struct row : ts::axis {};
using line = ts::mesh<ts::explicit_axis<row, 4>>;
constexpr std::int64_t rows = 64, columns = 48;
constexpr int steps = 200;

// One step of a block, of which `above` and `below` are the neighbors' rows: the new block, and by how much each element
// changed. It knows nothing of devices.
struct five_points {
  static constexpr std::string_view name = "five_points";
  template <class Space, class U, class Above, class Below, class New, class Change>
  void operator()(Space const& space, U u, Above above, Below below, New next, Change change) const {
    auto const height = static_cast<int>(u.extent(0)), width = static_cast<int>(u.extent(1));
    Kokkos::parallel_for(
        "five points", Kokkos::MDRangePolicy<Space, Kokkos::Rank<2>>(space, {0, 0}, {height, width}),
        KOKKOS_LAMBDA(int i, int j) {
          double const up = i > 0 ? u(i - 1, j) : above(0, j), down = i + 1 < height ? u(i + 1, j) : below(0, j);
          double const left = j > 0 ? u(i, j - 1) : 0, right = j + 1 < width ? u(i, j + 1) : 0;
          next(i, j) = u(i, j) + 0.2 * (up + down + left + right - 4 * u(i, j));
          change(i, j) = (next(i, j) - u(i, j)) * (next(i, j) - u(i, j));
        });
  }
};

// A block at the start, written where it lies: hot in the middle. `index`: which part of the plate it is. With nvcc the
// function around a lambda for a device has named parameter types, and is no lambda itself.
struct hot_spot {
  template <class View>
  void operator()(View view, ts::region const& index) const {
    auto const top = index[0].start;
    Kokkos::parallel_for(
        "hot spot", Kokkos::MDRangePolicy<Kokkos::Rank<2>>({0, 0}, {view.extent(0), view.extent(1)}),
        KOKKOS_LAMBDA(int i, int j) { view(i, j) = (top + i) / 16 == 1 && j / 12 == 2 ? 100.0 : 0.0; });
  }
};

// What goes up and down arrives as zeros at the ends: the plate's edges are cold.
struct one_step {
  constexpr auto operator()(auto u) const {
    return ts::shard_map<ts::in_specs<ts::P<row>>, ts::out_specs<ts::P<row>, ts::P<>>>([](auto u) {
      constexpr auto height = ts::typeof_t<decltype(u)>::shape()[0];
      auto const first = ts::slice_in_dim<0, 0, 1>(u), last = ts::slice_in_dim<0, height - 1, height>(u);
      auto const above = ts::ppermute<row>(last, ts::perm<ts::send<0, 1>, ts::send<1, 2>, ts::send<2, 3>>);
      auto const below = ts::ppermute<row>(first, ts::perm<ts::send<1, 0>, ts::send<2, 1>, ts::send<3, 2>>);
      using block = ts::block_type<double, ts::dynamic, ts::dynamic>;  // as u
      auto const [next, change] = ts::local_kernel<five_points, block, block>(u, above, below);
      return std::tuple{next, ts::psum<row>(ts::sum(change))};
    })(u);
  }
};
struct all_steps {
  constexpr auto operator()(auto u) const {
    auto const first = one_step{}(u);
    return ts::fori_loop(
        1, steps, [](auto, auto state) { return one_step{}(std::get<0>(state)); }, first);
  }
};

// The same without Tessera.
Kokkos::View<double**, Kokkos::HostSpace> on_one_device(Kokkos::View<double**, Kokkos::HostSpace> u) {
  using view = Kokkos::View<double**, Kokkos::HostSpace>;
  view next("next", rows, columns), change("change", rows, columns), none("edge", 1, columns);
  for (int n = 0; n < steps; ++n) {
    five_points{}(Kokkos::DefaultHostExecutionSpace(), u, none, none, next, change);
    std::swap(u, next);
  }
  return u;
}

}  // namespace

int main(int argc, char** argv) {
  ts::runtime runtime{argc, argv};
  only_one_speaks();
  auto const mesh = ts::make_mesh<line>(ts::devices());

  // Made where it stays: each block by a kernel that knows its place.
  auto const start = ts::make_array_from_views<ts::P<row>, ts::shape<rows, columns>, double>(mesh, hot_spot{});
  using plate = std::remove_const_t<decltype(start)>;
  constexpr auto const& cost = ts::comm_of<one_step, plate>;
  static_assert(cost.count(ts::collective::permute) == 2 && cost.count(ts::collective::all_reduce) == 1);
  static_assert(cost.bytes(ts::collective::permute) == 2 * columns * sizeof(double));
  std::cout << ts::typeof_(start) << '\n' << ts::explain(cost);

  auto const [end, change] = ts::jit<all_steps>(start);
  Kokkos::View<double**, Kokkos::HostSpace> whole("plate", rows, columns);
  for (std::int64_t i = 16; i < 32; ++i)
    for (std::int64_t j = 24; j < 36; ++j) whole(i, j) = 100.0;
  auto const wanted = on_one_device(whole);
  auto const got = ts::process_allgather(end);
  double apart = 0, heat = 0;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) {
      apart = std::max(apart, std::fabs(got[i * columns + j] - wanted(i, j)));
      heat += wanted(i, j);
    }
  std::printf("after %d steps: %.1f of 19200.0 left, last change %.4f, %s\n", steps, heat, change.item(),
              apart < 1e-12 ? "as on one device" : "NOT as on one device");
  return apart < 1e-12 ? 0 : 1;
}
