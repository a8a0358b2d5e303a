// SPDX-License-Identifier: Apache-2.0
// custom_vjp: the backward pass is the user's, wherever the function is called. Most rules here are not the true
// derivative, which shows that they are used.

#include "support/on_grid.hpp"

namespace {

using namespace on_grid;

// sin, whose gradient is three times the cotangent times x.
constexpr auto tripled = ts::custom_vjp([](auto x) { return ts::sin(x); },
                                        [](auto x) {
                                          return std::tuple{ts::sin(x), x};
                                        },
                                        [](auto x, auto bar) { return std::tuple{bar * x * 3.0}; });
// The product of two, with gradients of the user's; the second one's is zero.
constexpr auto first_only = ts::custom_vjp([](auto x, auto y) { return x * y; },
                                           [](auto x, auto y) {
                                             return std::tuple{x * y, std::tuple{x, y}};
                                           },
                                           [](auto kept, auto bar) {
                                             return std::tuple{bar * std::get<1>(kept) * 10.0, ts::float0{}};
                                           });
// The identity; cotangents are cut off at 1.
constexpr auto clipped = ts::custom_vjp([](auto x) { return x; },
                                        [](auto x) {
                                          return std::tuple{x, std::tuple{}};
                                        },
                                        [](auto, auto bar) { return ts::clip(bar, -1.0, 1.0); });

struct inputs {
  decltype(put<ts::P<dp, mp>, 4, 6>(1.0)) x = put<ts::P<dp, mp>, 4, 6>(1.3), w = put<ts::P<dp, mp>, 4, 6>(0.7);
};

TEST(custom_vjp, value_is_that_of_the_function) {
  inputs const in;
  near(ts::jit(tripled)(in.x), ts::sin(in.x));
  near(tripled(in.x), ts::sin(in.x));
  near(std::get<0>(ts::value_and_grad([](auto x) { return ts::sum(tripled(x)); })(in.x)), ts::sum(ts::sin(in.x)));
}

TEST(custom_vjp, gradient_is_that_of_the_rule) {
  inputs const in;
  near(ts::grad([](auto x, auto w) { return ts::sum(tripled(x * w) * w); })(in.x, in.w),
       in.w * (in.x * in.w) * 3.0 * in.w);
  auto const [x, y] = ts::grad<0, 1>([](auto x, auto y) { return ts::sum(first_only(x, y)); })(in.x, in.w);
  near(x, in.w * 10.0);
  expect(y, std::vector<double>(24, 0.0));
}

TEST(custom_vjp, residuals_may_be_empty) {
  inputs const in;
  near(ts::grad([](auto x) { return ts::sum(clipped(x) * x * 5.0); })(in.x),
       ts::clip(in.x * 5.0, -1.0, 1.0) + in.x * 5.0);
}

TEST(custom_vjp, pullback_uses_the_rule) {
  inputs const in;
  auto const [y, pullback] = ts::vjp([](auto x) { return tripled(x) * 2.0; }, in.x);
  near(std::get<0>(pullback(in.w)), in.w * 2.0 * in.x * 3.0);
}

TEST(custom_vjp, in_a_scan) {
  inputs const in;
  auto const loss = [](auto x, auto w) {
    return ts::sum(ts::fori_loop(
        0, 3, [&](auto i, auto v) { return tripled(v) * w + i; }, x));
  };
  auto const by_hand = [](auto x, auto w) {
    auto v = x;
    std::array<decltype(x), 4> at{x, x, x, x};
    for (int i = 0; i < 3; ++i) {
      at[i] = v;
      v = ts::sin(v) * w + static_cast<float>(i);
    }
    auto bar = ts::ones_like(x);
    for (int i = 2; i >= 0; --i) bar = bar * w * at[i] * 3.0;
    return bar;
  };
  near(ts::grad(loss)(in.x, in.w), by_hand(in.x, in.w));
}

TEST(custom_vjp, in_a_branch) {
  inputs const in;
  auto const loss = [](auto x) {
    return ts::sum(ts::cond(
        ts::sum(x) > 0.0, [](auto v) { return tripled(v); }, [](auto v) { return v; }, x));
  };
  near(ts::grad(loss)(in.x), in.x * 3.0);
}

TEST(custom_vjp, checkpointed) {
  inputs const in;
  near(ts::grad([](auto x) { return ts::sum(ts::checkpoint([](auto v) { return tripled(v) * v; })(x)); })(in.x),
       in.x * 3.0 * in.x + ts::sin(in.x));
}

// grad of vmap: the rule is mapped; a cotangent of what is the same for all elements is summed.
// What only the backward pass reads is computed when that runs, as with JAX's optimize_remat=True.
TEST(custom_vjp, checkpointed_residuals_are_computed_once) {
  static constexpr auto costly = ts::custom_vjp([](auto x) { return ts::sin(x); },
                                                [](auto x) {
                                                  return std::tuple{ts::sin(x), ts::matmul(x, x)};
                                                },
                                                [](auto product, auto bar) { return std::tuple{bar * product}; });
  static constexpr auto block = [](auto x) { return ts::cos(costly(x)); };
  constexpr auto step = ts::value_and_grad([](auto x) { return ts::sum(ts::checkpoint(block)(x)); });
  using x_type = ts::array_type<double, ts::shape<8, 8>, ts::P<>, ts::no_mesh>;
  constexpr auto& work = ts::work_of<decltype(step), x_type>;
  constexpr std::int64_t product = 2 * 8 * 8 * 8;
  static_assert(work.flops(ts::program_pass::forward) < product);
  static_assert(work.flops(ts::program_pass::recomputed) >= product &&
                work.flops(ts::program_pass::recomputed) < 2 * product);
  auto const x = ts::jit([] { return ts::reshape<8, 8>(ts::sin(ts::arange<double, 64>())); })();
  auto const [value, slope] = ts::jit(step)(x);
  auto const want = ts::jit([](auto x) { return -ts::sin(ts::sin(x)) * ts::matmul(x, x); })(x).to_host();
  auto const got = slope.to_host();
  for (std::size_t i = 0; i < want.size(); ++i) EXPECT_NEAR(got[i], want[i], 1e-13);
  EXPECT_NEAR(value.item(), ts::jit([](auto x) { return ts::sum(block(x)); })(x).item(), 1e-12);
}

#ifndef TESSERA_BY_DAY
TEST(custom_vjp, in_vmap) {
  auto const x = put<ts::P<dp>, 4, 6>(1.3);
  auto const w = put<ts::P<>, 6>(0.7);
  near(ts::grad([](auto x, auto w) {
         return ts::sum(
             ts::vmap<ts::in_axes<0, ts::unmapped>>([](auto row, auto w) { return first_only(row, w); })(x, w) * x);
       })(x, w),
       ts::jit([](auto x, auto w) { return x * w * 10.0 + x * w; })(x, w));
  near(ts::grad([](auto w, auto x) {
         return ts::sum(
             ts::vmap<ts::in_axes<ts::unmapped, 0>>([](auto w, auto row) { return first_only(w, row); })(w, x) * x);
       })(w, x),
       ts::jit([](auto x) { return ts::sum<0>(x * x) * 10.0; })(x));
  near(ts::vmap([](auto row) { return ts::grad([](auto v) { return ts::sum(tripled(v)); })(row); })(x), x * 3.0);
  near(ts::grad([](auto x) {
         return ts::sum(ts::vmap<ts::in_axes<1>, ts::out_axes<1>>(
             [](auto column) { return ts::vmap([](auto v) { return tripled(v); })(column); })(x));
       })(x),
       x * 3.0);
}

// A rule that combines the slices; types do not show whether a value differs along a named axis.
struct slices : ts::axis {};
constexpr auto with_sum =
    ts::custom_vjp([](auto x) { return ts::sin(x) + ts::psum<slices>(x); },
                   [](auto x) {
                     return std::tuple{ts::sin(x) + ts::psum<slices>(x), x};
                   },
                   [](auto x, auto bar) { return std::tuple{bar * x * 3.0 + ts::psum<slices>(bar)}; });

TEST(custom_vjp, in_vmap_with_a_name) {
  auto const x = put<ts::P<dp>, 4, 6>(1.3);
  near(ts::grad([](auto x) {
         return ts::sum(ts::vmap<ts::axis_names<slices>>([](auto row) { return with_sum(row); })(x));
       })(x),
       ts::jit([](auto x) { return x * 3.0 + 4.0; })(x));
}

TEST(custom_vjp, of_sizes_known_when_it_runs) {
  auto const values = wave(24, 1.3);
  auto const x = ts::device_put<ts::P<dp>>(ts::host<ts::dynamic, 6>(values), ts::make_mesh<grid>(ts::devices()));
  auto const got = ts::grad([](auto x) { return ts::sum(tripled(x)); })(x).to_host();
  for (std::size_t i = 0; i < 24; ++i) EXPECT_NEAR(got[i], values[i] * 3.0, 1e-12);
}

TEST(custom_vjp, in_shard_map) {
  inputs const in;
  auto const loss = [](auto x, auto w) {
    return ts::sum(ts::shard_map<ts::out_specs<ts::P<dp, mp>>>([](auto x, auto w) { return tripled(x) * w; })(x, w));
  };
  near(ts::grad(loss)(in.x, in.w), in.w * in.x * 3.0);
}

// The second derivative is that of fwd and bwd.
TEST(custom_vjp, twice) {
  inputs const in;
  auto const slope = [](auto x) { return ts::sum(ts::grad([](auto v) { return ts::sum(tripled(v) * v); })(x)); };
  // x * 3x + sin(x): 6x + cos(x)
  near(ts::grad(slope)(in.x), in.x * 6.0 + ts::cos(in.x));
}

TEST(custom_vjp, belongs_to_the_call_that_it_depends_on) {
  inputs const in;
  // w is differentiated outside: within the inner gradient the call is a constant.
  auto const outer = [](auto w, auto x) {
    return ts::sum(ts::grad([&](auto v) { return ts::sum(v * tripled(w)); })(x));
  };
  near(ts::grad(outer)(in.w, in.x), in.w * 3.0);
}

TEST(custom_vjp, forward_where_it_is_linear) {
  inputs const in;
  auto const [y, dy] = ts::jvp([](auto x) { return tripled(x) * 2.0; }, in.x, in.w);
  near(y, ts::sin(in.x) * 2.0);
  near(dy, in.x * 6.0 * in.w);
}

// A rule reads trees, integers and static arguments; what has no derivative gets float0.
TEST(custom_vjp, trees_integers_and_static_arguments) {
  inputs const in;
  static constexpr auto f = ts::custom_vjp(
      [](auto p, auto n, auto times) {
        return std::tuple{std::get<0>(p) * n * static_cast<float>(times.value), ts::sum(std::get<1>(p)), n + 1};
      },
      [](auto p, auto n, auto times) {
        return std::tuple{
            std::tuple{std::get<0>(p) * n * static_cast<float>(times.value), ts::sum(std::get<1>(p)), n + 1},
            std::tuple{n, times}};
      },
      [](auto kept, auto bars) {
        auto const [n, times] = kept;
        auto const [product, sum, none] = bars;
        static_assert(std::is_same_v<decltype(none), ts::float0 const>);
        auto const first = product * n * static_cast<float>(times.value) * 100.0;
        return std::tuple{std::make_tuple(first, ts::zeros_like(first) + sum * 7.0), ts::float0{}, ts::float0{}};
      });
  auto const n = ts::asarray(std::int32_t{2});
  auto const [x, w] = ts::grad<0, 1>([](auto x, auto w, auto n) {
    auto const [product, sum, more] = f(std::make_tuple(x, w), n, std::integral_constant<int, 3>{});
    return ts::sum(product) + sum * more;
  })(in.x, in.w, n);
  near(x, in.x * 0.0 + 600.0);
  near(w, in.x * 0.0 + 21.0);
}

// A kernel of the user's without a transpose, with a gradient.
struct running_most : ts::ops::opaque<running_most, 1, ts::ops::accepts::floats> {
  static constexpr std::string_view name = "running_most";
  static constexpr ts::opaque_shape shape(ts::rule_input const& in) { return ts::rule::last_dims(in, 1); }
  template <class T>
  TESSERA_FUNCTION static void run(ts::opaque_call const&, ts::dense_view<T const> x, ts::dense_view<T> y) {
    for (std::int64_t i = 0; i < x.extent(0); ++i) y(i) = i > 0 && y(i - 1) > x(i) ? y(i - 1) : static_cast<T>(x(i));
  }
};
inline constexpr ts::unary_door<running_most> most_so_far;
constexpr auto most = ts::custom_vjp([](auto x) { return most_so_far(x); },
                                     [](auto x) {
                                       return std::tuple{most_so_far(x), x};
                                     },
                                     [](auto x, auto bar) {
                                       auto const y = most_so_far(x);
                                       return std::tuple{ts::where(x == y, bar, 0.0)};
                                     });

TEST(custom_vjp, of_a_kernel) {
  auto const x = put<ts::P<dp>, 4, 6>(1.3);
  auto const values = x.to_host();
  std::vector<double> want(24);
  for (std::size_t i = 0; i < 24; ++i) {
    bool largest = true;
    for (std::size_t k = i / 6 * 6; k < i; ++k) largest = largest && values[k] < values[i];
    want[i] = largest ? 2.0 : 0.0;
  }
  expect(ts::grad([](auto x) { return ts::sum(most(x) * 2.0); })(x), want);
  expect(ts::grad([](auto x) { return ts::sum(ts::vmap([](auto row) { return most(row); })(x) * 2.0); })(x), want);
}

// The gradient of a fixed point y = f(a, y) by the implicit function theorem: bwd solves for the cotangent, and the loop
// to the fixed point is not differentiated. A while_loop has no gradient of its own.
struct babylon {
  constexpr auto operator()(auto a, auto y) const { return 0.5 * (y + a / y); }  // its fixed point: sqrt(a)
};
template <class F>
struct solved {
  constexpr auto operator()(auto a, auto guess) const {
    return std::get<0>(
        ts::while_loop([](auto both) { return ts::max(ts::abs(std::get<0>(both) - std::get<1>(both))) > 1e-14; },
                       [&](auto both) {
                         return std::tuple{F{}(a, std::get<0>(both)), std::get<0>(both)};
                       },
                       std::tuple{F{}(a, guess), guess}));
  }
};
// w = bar + w times df/dy, a fixed point, too.
template <class Back>
constexpr auto solved_for(Back const& by_y, auto bar) {
  return ts::fori_loop(
      0, 60, [&](auto, auto w) { return bar + std::get<0>(by_y(w)); }, bar);
}
template <class F>
constexpr auto fixed_point = ts::custom_vjp(
    solved<F>{},
    [](auto a, auto guess) {
      auto const y = solved<F>{}(a, guess);
      return std::tuple{y, std::tuple{a, y}};
    },
    [](auto kept, auto bar) {
      auto const [a, y] = kept;
      auto const by_y = std::get<1>(ts::vjp([a = a](auto v) { return F{}(a, v); }, y));
      auto const w = solved_for(by_y, bar);
      return std::tuple{std::get<0>(std::get<1>(ts::vjp([y = y](auto v) { return F{}(v, y); }, a))(w)), ts::float0{}};
    });

TEST(custom_vjp, of_a_fixed_point) {
  auto const a = ts::jit([](auto x) { return x * x + 0.5; })(put<ts::P<dp, mp>, 4, 6>(1.3));
  near(ts::jit(fixed_point<babylon>)(a, a), ts::sqrt(a));
  near(ts::grad([](auto a) { return ts::sum(ts::sin(fixed_point<babylon>(a, a))); })(a),
       ts::jit([](auto a) { return ts::cos(ts::sqrt(a)) * 0.5 / ts::sqrt(a); })(a));
}
#endif

}  // namespace
