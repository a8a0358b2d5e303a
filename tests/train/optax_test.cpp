// SPDX-License-Identifier: Apache-2.0
// Optimizers against what optax computed (optax.txt, which record_optax.py wrote), on a 4x2 mesh and on one device; where the states lie
// of those that sum over parameters, and what they send.

#include <tessera/train/train.hpp>

#include "support/on_grid.hpp"

#include <fstream>
#include <map>
#include <sstream>

namespace {

using namespace on_grid;
namespace tr = ts::train;
using ts::none;
using ts::P;

template <class W, class B, class T>
struct leaves {
  W w;
  B b;
  T t;
  static constexpr ts::names<3> names{"w", "b", "t"};
};
template <class W, class B, class T>
leaves(W, B, T) -> leaves<W, B, T>;

auto split(double scale) {
  return leaves{put<P<dp, mp>, 8, 4>(scale), put<P<mp>, 4>(scale + 1), put<P<none, mp, dp>, 6, 2, 4>(scale + 2)};
}
// On one device, without a mesh.
auto alone(double scale) {
  auto const w = wave(32, scale), b = wave(4, scale + 1), t = wave(48, scale + 2);
  return leaves{ts::device_put(ts::host<8, 4>(w)), ts::device_put(ts::host<4>(b)),
                ts::device_put(ts::host<6, 2, 4>(t))};
}

// Real and imaginary parts of different scales.
auto split_complex(double scale) {
  return ts::tree_map([](auto const& x, auto const& y) { return ts::complex(x, y); }, split(scale), split(scale + 0.2));
}

// Optimizers as optax.txt names them.
struct adafactor : tr::adafactor_of<4> {
  static constexpr std::string_view name = "adafactor";
};
struct adafactor_other : tr::adafactor_of<4, true> {
  static constexpr std::string_view name = "adafactor_other";
  constexpr adafactor_other()
      : tr::adafactor_of<4, true>{
            .decay_rate = 0.7, .decay_offset = -2, .scaled = false, .clipping = 0.5, .momentum = 0.8, .decay = 0.01} {}
};
struct adafactor_whole : tr::adafactor {
  static constexpr std::string_view name = "adafactor_whole";
};
struct adagrad : tr::adagrad {
  static constexpr std::string_view name = "adagrad";
};
struct rmsprop : tr::rmsprop {
  static constexpr std::string_view name = "rmsprop";
};
struct rmsprop_momentum : tr::rmsprop_of<true> {
  static constexpr std::string_view name = "rmsprop_momentum";
  constexpr rmsprop_momentum() : tr::rmsprop_of<true>{.decay = 0.8, .momentum = 0.7} {}
};
struct lars : tr::lars {
  static constexpr std::string_view name = "lars";
  constexpr lars() : tr::lars{.decay = 0.02} {}
};
struct lamb : tr::lamb {
  static constexpr std::string_view name = "lamb";
  constexpr lamb() : tr::lamb{.decay = 0.02} {}
};
struct lion : tr::lion {
  static constexpr std::string_view name = "lion";
  constexpr lion() : tr::lion{.decay = 0.02} {}
};
struct adamw : tr::adam {
  static constexpr std::string_view name = "adamw";
  constexpr adamw() : tr::adam(tr::adamw(0.01)) {}
};

struct clip {
  static constexpr std::string_view name = "clip";
  static constexpr auto init(auto const&) { return std::tuple{}; }
  static constexpr auto update(auto const& g, auto const& state, auto const& p, double rate) {
    return tr::sgd{}.update(tr::clip_by_global_norm(g, 0.5), state, p, rate);
  }
};

template <class Optimizer>
struct begun {
  constexpr auto operator()(auto p) const { return Optimizer{}.init(p); }
};
template <class Optimizer>
struct stepped {
  constexpr auto operator()(auto p, auto state, auto g) const { return Optimizer{}.update(g, state, p, 0.1); }
};
struct doubled {
  constexpr auto operator()(auto g) const {
    return ts::tree_map([](auto const& x) { return x * 2.0 - 0.1; }, g);
  }
};

std::map<std::string, std::vector<double>> const& recorded() {
  static auto const all = [] {
    std::map<std::string, std::vector<double>> read;
    std::ifstream file(TESSERA_SOURCE_DIR "/tests/train/optax.txt");
    for (std::string line; std::getline(file, line);) {
      if (line[0] == '#') continue;
      std::istringstream in(line);
      std::string name, leaf;
      in >> name >> leaf;
      auto& numbers = read[name + " " + leaf];
      for (double v = 0; in >> v;) numbers.push_back(v);
    }
    return read;
  }();
  return all;
}

// The numbers of an array, of a complex one both parts of each.
template <class X>
std::vector<double> parts(X const& x) {
  std::vector<double> all;
  for (auto const v : x.to_host()) {
    if constexpr (ts::is_complex(X::dtype())) {
      all.push_back(v.real());
      all.push_back(v.imag());
    } else {
      all.push_back(v);
    }
  }
  return all;
}
template <class X>
void expect_recorded(X const& got, std::string const& name, double bound) {
  auto const have = parts(got);
  auto const& want = recorded().at(name);
  ASSERT_EQ(have.size(), want.size());
  for (std::size_t i = 0; i < want.size(); ++i) EXPECT_NEAR(have[i], want[i], bound) << name << ' ' << i;
}

template <class Optimizer, class Tree>
void follows(Tree const& first, Tree const& g) {
  auto const after = run<doubled>(g);
  auto const [p1, s1] = run<stepped<Optimizer>>(first, run<begun<Optimizer>>(first), g);
  auto const [p2, s2] = run<stepped<Optimizer>>(p1, s1, after);
  auto const [p3, s3] = run<stepped<Optimizer>>(p2, s2, g);
  static_assert(std::is_same_v<decltype(s3), decltype(s1)> && std::is_same_v<decltype(p3), decltype(p1)>);
  static_assert(std::is_same_v<typename decltype(p3.t)::type, typename decltype(first.t)::type>);
  std::string name = ts::is_complex(decltype(p3.w)::dtype()) ? "complex_" : "";
  name += Optimizer::name;
  double const bound = name.find("adafactor") == std::string::npos ? 1e-12 : 1e-9;  // a decay in float32 there
  expect_recorded(p3.w, name + " w", bound);
  expect_recorded(p3.b, name + " b", bound);
  expect_recorded(p3.t, name + " t", bound);
}
template <class Optimizer>
void follows() {
  follows<Optimizer>(split(0.5), split(0.3));
  follows<Optimizer>(split_complex(0.5), split_complex(0.3));
}

TEST(optax, adafactor) {
  follows<adafactor>();
  follows<adafactor>(alone(0.5), alone(0.3));
  follows<adafactor_other>();
  follows<adafactor_whole>();
}
TEST(optax, by_squares) {
  follows<adagrad>();
  follows<rmsprop>();
  follows<rmsprop_momentum>();
}
TEST(optax, layerwise) {
  follows<lars>();
  follows<lamb>();
}
TEST(optax, lion_and_adamw) {
  follows<lion>();
  follows<adamw>();
}

TEST(optax, clip) { follows<clip>(); }

// Squares of complex parameters are real; norms of float64 have its range.
TEST(optimizers, complex_and_wide) {
  auto const state = run<begun<adamw>>(split_complex(1));
  static_assert(ts::type_text<decltype(state.mean.w)> == "complex128[8@dp,4@mp]");
  static_assert(ts::type_text<decltype(state.square.w)> == "float64[8@dp,4@mp]");
  auto const norm = ts::jit([](auto x) { return tr::global_norm(std::tuple{x, x}); });
  EXPECT_DOUBLE_EQ(norm(ts::asarray({3e100, 4e100})).item(), std::sqrt(2.0) * 5e100);
  EXPECT_EQ(norm(ts::asarray({ts::complex64(3, 4), ts::complex64(0, 0)})).item(), std::sqrt(2.0f) * 5);
  static_assert(ts::type_text<decltype(norm(ts::asarray({ts::bfloat16(3), ts::bfloat16(4)})))> == "float32[]");
}

// Means of rows lie as the rows do, means of columns as the columns; only sums are sent, of these and of single numbers.
TEST(adafactor, layouts) {
  using tree = decltype(split(1));
  static_assert(ts::comm_of<begun<adafactor>, tree>.count() == 0);
  auto const state = run<begun<adafactor>>(split(1));
  static_assert(ts::type_text<decltype(state.square.w.rows)> == "float64[8@dp]");
  static_assert(ts::type_text<decltype(state.square.w.columns)> == "float64[4@mp]");
  static_assert(ts::type_text<decltype(state.square.b)> == "float64[4@mp]");
  static_assert(ts::type_text<decltype(state.square.t.rows)> == "float64[6,2@mp]");
  static_assert(ts::type_text<decltype(state.square.t.columns)> == "float64[2@mp,4@dp]");
  constexpr auto const& cost = ts::comm_of<stepped<adafactor>, tree, std::remove_const_t<decltype(state)>, tree>;
  static_assert(cost.count() == cost.count(ts::collective::all_reduce));
}

}  // namespace
