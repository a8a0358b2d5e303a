// SPDX-License-Identifier: Apache-2.0
// jvp against central differences, in layouts: loops, branches, calls on arrays, and what a tangent is worth. Tangents of
// single operations, in all layouts: support/grad_case.hpp.

#include "support/on_grid.hpp"

#include <algorithm>
#include <string>

namespace {

using namespace on_grid;

template <class F>
struct pushed {
  constexpr auto operator()(auto x, auto dx) const { return ts::jvp(F{}, x, dx); }
};

// f of x[4, 6] at `values`, moved by h along `along`.
template <class F>
std::vector<double> moved(std::vector<double> values, std::vector<double> const& along, double h) {
  for (std::size_t i = 0; i < values.size(); ++i) values[i] += h * along[i];
  auto const y = run<F>(put<ts::P<>, 4, 6>(values)).to_host();
  return {y.begin(), y.end()};
}

template <class F, class S>
void against_differences() {
  SCOPED_TRACE(ts::type_name<S>());
  auto values = wave(24, 1), along = wave(24, 0.6);
  for (double& v : values) v += 1.3;
  auto const [y, dy] = run<pushed<F>>(put<S, 4, 6>(values), put<S, 4, 6>(along));
  static_assert(std::is_same_v<typename decltype(y)::type, typename decltype(dy)::type>,
                "tangents have their values' types");
  expect(y, moved<F>(values, along, 0));
  double const h = 1e-6;
  auto const above = moved<F>(values, along, h), below = moved<F>(values, along, -h);
  std::vector<double> slopes;
  for (std::size_t i = 0; i < above.size(); ++i) slopes.push_back((above[i] - below[i]) / (2 * h));
  expect(dy, slopes, 2e-7);
}

#define MOVED(name, ...)                                                             \
  struct name##_f {                                                                  \
    constexpr auto operator()([[maybe_unused]] auto x) const { return __VA_ARGS__; } \
  };                                                                                 \
  TEST(jvp, name) {                                                                  \
    against_differences<name##_f, ts::P<>>();                                        \
    against_differences<name##_f, ts::P<dp, mp>>();                                  \
    against_differences<name##_f, ts::P<ts::none, ts::axes<mp>>>();                  \
  }

MOVED(nothing_is_linear, ts::sin(x) * x + 1.0 / x)
MOVED(products, ts::einsum<"ij,kj->ik">(x, ts::tanh(x), ts::out_sharding<ts::P<>>))
MOVED(a_result_twice, ts::exp(x) * ts::sum(x) + x)
MOVED(the_argument_itself, x)
MOVED(fori, ts::fori_loop(
                0, 4, [](auto i, auto v) { return ts::sin(v) * 0.5 + v * i; }, x))
MOVED(fori_that_reads_around, ts::fori_loop(
                                  0, 3, [&](auto, auto v) { return ts::sin(v) * x + v; }, x * 2.0) *
                                  x)
MOVED(carried_that_begin_to_move, std::get<1>(ts::fori_loop(
                                      0, 3,
                                      [&](auto, auto c) {
                                        return std::tuple{std::get<0>(c) + x, std::get<1>(c) + std::get<0>(c) * 2.0};
                                      },
                                      std::tuple{ts::zeros_like(x), ts::ones_like(x)})))
MOVED(scan, std::get<1>(ts::scan(
                [](auto c, auto row) {
                  return std::tuple{c + row * row, c * row};
                },
                ts::zeros_like(ts::sum<0>(x)), ts::reshard<ts::P<>>(x))))
MOVED(scan_backwards, std::get<0>(ts::scan(
                          [](auto c, auto row) {
                            return std::tuple{c * row + ts::sin(row), std::tuple{}};
                          },
                          ts::ones<double, 6>(), ts::reshard<ts::P<>>(x), ts::reversed)))
MOVED(while_loop,
      ts::while_loop([](auto v) { return ts::sum(v) < 100.0; }, [](auto v) { return v * 1.5 + ts::sin(v); }, x) * x)
MOVED(while_that_counts, std::get<1>(ts::while_loop([](auto c) { return std::get<0>(c) < 5; },
                                                    [&](auto c) {
                                                      return std::tuple{std::get<0>(c) + 1, std::get<1>(c) * x};
                                                    },
                                                    std::tuple{ts::sum(ts::zeros<ts::int32, 2>()), x})))
MOVED(cond, ts::cond(
                ts::sum(x) > 20.0, [](auto v) { return v * v; }, [](auto v) { return -v; }, x) +
                x)
MOVED(cond_where_one_branch_moves,
      ts::cond(
          ts::sum(x) > 20.0, [](auto v) { return v * v; }, [](auto v) { return ts::ones_like(v); }, x))
MOVED(loops_in_branches_in_loops, ts::fori_loop(
                                      0, 2,
                                      [](auto, auto v) {
                                        return ts::cond(
                                            ts::sum(v) > 26.0,
                                            [](auto w) {
                                              return ts::while_loop([](auto u) { return ts::max(u) < 9.0; },
                                                                    [](auto u) { return u * 1.5 + ts::cos(u); }, w);
                                            },
                                            [](auto w) { return w * w; }, v);
                                      },
                                      x))
MOVED(checkpointed, ts::checkpoint([](auto v) { return ts::sin(v) * v; })(x))
MOVED(a_gradient, ts::grad([](auto v) { return ts::sum(ts::sin(v) * v * v); })(x))
MOVED(a_gradient_through_a_loop, ts::grad([](auto v) {
        return ts::sum(ts::fori_loop(
            0, 3, [](auto i, auto u) { return ts::sin(u) * u + i; }, v));
      })(x))
MOVED(a_tangent, std::get<1>(ts::jvp([](auto v) { return ts::sin(v) * v; }, x, ts::cos(x))))
MOVED(an_integral_between, x* ts::astype<double>(ts::argmax<1>(x, ts::keepdims) + 1))
MOVED(inside_shard_map, ts::shard_map<ts::in_specs<ts::P<dp, mp>>, ts::out_specs<ts::P<dp, mp>>>([](auto block) {
        auto const mean = ts::pmean<dp>(block * block);
        return ts::sin(mean) * block + ts::psum<mp>(block);
      })(ts::reshard<ts::P<dp, mp>>(x)))
MOVED(of_slices, ts::vmap([](auto row) { return ts::sum(row) * ts::exp(row * 0.5); })(ts::reshard<ts::P<dp>>(x)))

TEST(jvp, of_what_does_not_move) {
  auto const x = put<ts::P<dp>, 4, 6>(1.3);
  auto const [y, dy] = ts::jvp([](auto a) { return ts::stop_gradient(a) * 2.0 + ts::zeros_like(a); }, x, x);
  near(y, x * 2.0);
  near(dy, ts::zeros_like(x));
}

// The derivative of the mapped function is the mapped derivative.
constexpr auto of_row = [](auto row) { return ts::sum(row) * ts::sin(row); };
TEST(jvp, of_each_slice) {
  auto const x = put<ts::P<dp>, 4, 6>(1.3), dx = put<ts::P<dp>, 4, 6>(0.4);
  auto const inside = ts::jit([](auto a, auto b) {
    return ts::vmap([](auto r, auto d) { return std::get<1>(ts::jvp(of_row, r, d)); })(a, b);
  })(x, dx);
  near(inside, std::get<1>(ts::jvp(ts::vmap(of_row), x, dx)));
}

TEST(jvp, takes_arrays_numbers_and_constants) {
  auto const f = [](auto a, auto b) { return a * a * b; };
  auto const x = put<ts::P<dp>, 4, 6>(1.3);
  auto const [y, dy] = ts::jvp(f, std::tuple{x, 2.0}, std::tuple{x, 0.5});
  near(y, x * x * 2.0);
  near(dy, x * x * 4.0 + x * x * 0.5);
  auto const [z, dz] = ts::jvp(f, std::tuple{3.0f, 2.0f}, std::tuple{1.0f, 0.0f});
  EXPECT_EQ(static_cast<float>(ts::asarray(z)), 18.0f);
  EXPECT_EQ(static_cast<float>(ts::asarray(dz)), 12.0f);
  auto const [v, dv] = ts::jvp([](auto a) { return ts::sum(a * a); }, ts::ones<double, 3>(), ts::ones<double, 3>());
  EXPECT_EQ(static_cast<double>(ts::asarray(dv)), 6.0);
  (void)v;
}

TEST(jvp, float0_is_zero) {
  auto const f = [](auto a, auto n, auto b) { return std::tuple{a * b + n, n + 1}; };
  auto const x = put<ts::P<dp>, 4, 6>(1.3);
  auto const n = ts::asarray(std::vector<ts::int32>{3}).at(0).get();
  auto const [y, dy] = ts::jvp(f, std::tuple{x, n, x}, std::tuple{ts::float0{}, ts::float0{}, x});
  near(std::get<0>(dy), x * x);
  near(std::get<0>(y), x * x + 3.0);
  EXPECT_EQ(static_cast<int>(std::get<1>(y)), 4);
  EXPECT_EQ(static_cast<int>(std::get<1>(dy)), 0);
}

TEST(jvp, of_trees_with_aux) {
  auto const f = [](auto p) {
    auto const [w, b] = p;
    return std::tuple{std::array{w * b, w + b}, ts::sum(w)};
  };
  auto const x = put<ts::P<dp>, 4, 6>(1.3), y = put<ts::P<dp>, 4, 6>(0.7);
  auto const [out, tangent, aux] =
      ts::jvp(f, std::make_tuple(std::pair{x, y}), std::make_tuple(std::pair{y, x}), ts::has_aux);
  near(out[0], x * y);
  near(tangent[0], x * x + y * y);
  near(tangent[1], x + y);
  near(aux, ts::sum(x));
}

#ifndef TESSERA_BY_DAY
TEST(jvp, of_complex_functions) {
  auto const f = [](auto x) {
    auto const z = ts::complex(x, x * x);
    return ts::real(z * z * ts::conj(z)) + ts::abs(z);
  };
  auto const x = put<ts::P<dp>, 4, 6>(1.3), dx = put<ts::P<dp>, 4, 6>(0.4);
  auto const tangent = std::get<1>(ts::jvp(f, x, dx));
  // x^2 (1 + x^2) x + sqrt(x^2 + x^4)
  auto const want =
      (3.0 * x * x + 5.0 * x * x * x * x + (2.0 * x + 4.0 * x * x * x) / (2.0 * ts::sqrt(x * x + x * x * x * x))) * dx;
  near(tangent, want);
}

// Sizes that are known when the program runs.
TEST(jvp, of_dynamic_sizes) {
  auto const values = wave(24, 1), along = wave(24, 0.6);
  auto const x = ts::device_put(ts::host(values, {4, 6})), dx = ts::device_put(ts::host(along, {4, 6}));
  auto const dy = std::get<1>(ts::jvp([](auto a) { return ts::sin(a) * ts::sum(a); }, x, dx)).to_host();
  double sum = 0, moves = 0;
  for (int i = 0; i < 24; ++i) sum += values[i], moves += along[i];
  for (int i = 0; i < 24; ++i)
    EXPECT_NEAR(dy[i], std::cos(values[i]) * along[i] * sum + std::sin(values[i]) * moves, 1e-12);
}

// Random numbers are drawn once: the value and its tangent belong to the same ones.
constexpr auto scaled_by_chance = [](auto x) {
  return ts::fori_loop(
      0, 2,
      [](auto, auto c) {
        auto const [k, use] = ts::random::split(std::get<0>(c));
        return std::tuple{k, std::get<1>(c) * ts::random::normal<double, 4, 6>(use)};
      },
      std::tuple{ts::random::key(7), x});
};
TEST(jvp, with_random_numbers_in_a_loop) {
  auto const x = put<ts::P<>, 4, 6>(1.3);
  auto const [y, dy] = ts::jit([](auto a) {
    auto const [value, tangent] = ts::jvp([](auto b) { return std::get<1>(scaled_by_chance(b)); }, a, a);
    return std::tuple{value, tangent};
  })(x);
  near(y, dy);
  near(y, ts::jit([](auto a) { return std::get<1>(scaled_by_chance(a)); })(x));
}

constexpr auto loop_of_two = [](auto a, auto b) {
  return ts::fori_loop(
      0, 3, [&](auto, auto v) { return ts::sin(v) * b; }, a);
};
TEST(jvp, linearized_once_for_several_directions) {
  auto const x = put<ts::P<dp>, 4, 6>(1.3), y = put<ts::P<dp>, 4, 6>(0.7);
  auto const [value, rest] = ts::jit([](auto a, auto b) {
    auto const [z, g] = ts::linearize(loop_of_two, a, b);
    return std::tuple{z, g(a, b) - g(a, ts::float0{}) - g(ts::float0{}, b)};
  })(x, y);
  near(value, ts::jit(loop_of_two)(x, y));
  expect(rest, std::vector<double>(24, 0.0), 1e-12);
  auto const [again, g] = ts::linearize(loop_of_two, x, y);
  near(again, value);
  near(g(y, x), std::get<1>(ts::jvp(loop_of_two, std::tuple{x, y}, std::tuple{y, x})));
}

// A loop is run once, with its effects, and computes values and tangents.
using v_type = ts::array_type<float, ts::shape<32, 32>, ts::P<dp, ts::none>, grid>;
using m_type = ts::array_type<float, ts::shape<32, 32>, ts::P<>, grid>;
struct repeated {
  constexpr auto operator()(auto v, auto m) const {
    return ts::fori_loop(
        0, 4,
        [&](auto, auto u) {
          ts::debug_print<"norm {}">(ts::sum(u * u));
          return ts::tanh(ts::matmul(u, m));
        },
        v);
  }
};
struct repeated_moved {
  constexpr auto operator()(auto v, auto m, auto dv) const {
    return ts::jvp(repeated{}, std::tuple{v, m}, std::tuple{dv, ts::float0{}});
  }
};
static_assert(10 * ts::work_of<repeated_moved, v_type, m_type, v_type>.flops() <=
              21 * ts::work_of<repeated, v_type, m_type>.flops());
TEST(jvp, prints_once) {
  auto const v =
      ts::device_put<ts::P<dp>>(ts::host<32, 32>(std::vector<float>(1024, 0.5f)), ts::make_mesh<grid>(ts::devices()));
  auto const m =
      ts::device_put<ts::P<>>(ts::host<32, 32>(std::vector<float>(1024, 0.1f)), ts::make_mesh<grid>(ts::devices()));
  testing::internal::CaptureStdout();
  auto const out = ts::jit<repeated_moved>(v, m, v);
  auto const said = testing::internal::GetCapturedStdout();
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 4) << said;
  EXPECT_GT(std::get<0>(out).to_host()[0], 0.5f);
}
#endif

// A tangent's sums are sent as its value's are: twice what f sends, and nothing more.
using w_type = ts::array_type<float, ts::shape<64, 32>, ts::P<ts::none, mp>, grid>;
using x_type = ts::array_type<float, ts::shape<16, 64>, ts::P<dp, ts::none>, grid>;
struct layer {
  constexpr auto operator()(auto x, auto w) const { return ts::sum<1>(ts::tanh(ts::matmul(x, w))); }
};
struct layer_moved {
  constexpr auto operator()(auto x, auto w, auto dx, auto dw) const {
    return ts::jvp(layer{}, std::tuple{x, w}, std::tuple{dx, dw});
  }
};
struct layer_loss {
  constexpr auto operator()(auto w, auto x) const { return ts::sum(layer{}(x, w)); }
};
struct layer_gradient {
  constexpr auto operator()(auto w, auto x) const { return ts::grad(layer_loss{})(w, x); }
};
struct layer_curvature {
  constexpr auto operator()(auto w, auto x, auto v) const {
    return std::get<1>(ts::jvp(ts::grad(layer_loss{}), std::tuple{w, x}, std::tuple{v, ts::float0{}}));
  }
};
static_assert(ts::comm_of<layer_moved, x_type, w_type, x_type, w_type>.bytes() <=
              2 * ts::comm_of<layer, x_type, w_type>.bytes());
// A product with the Hessian is worth two gradients.
static_assert(2 * ts::work_of<layer_curvature, w_type, x_type, w_type>.flops() <=
              5 * ts::work_of<layer_gradient, w_type, x_type>.flops());
static_assert(ts::comm_of<layer_curvature, w_type, x_type, w_type>.bytes() <=
              2 * ts::comm_of<layer_gradient, w_type, x_type>.bytes());

}  // namespace
