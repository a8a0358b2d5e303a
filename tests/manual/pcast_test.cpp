// SPDX-License-Identifier: Apache-2.0
// Partial sums inside shard_map: terms that are summed later, and parameters whose gradients are left as terms.

#include <tessera/tessera.hpp>

#include "support/oracle/oracle.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace ts = tessera;

namespace {

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;
using floats = std::vector<float>;
using oracle::tensor;

tensor const whole = oracle::scattered({8, 4}, -1, 1, 5);
template <class S, std::int64_t... E>
auto put(tensor const& t) {
  return ts::device_put<S>(ts::host<E...>(floats(t.data.begin(), t.data.end())), ts::make_mesh<grid>(ts::devices()));
}
tensor summed_over_dp(tensor const& t) { return oracle::sum(oracle::reshape(t, {4, 2, 4}), {0}); }
void near(floats const& got, tensor const& want) {
  ASSERT_EQ(got.size(), want.data.size());
  for (std::size_t i = 0; i < got.size(); ++i)
    EXPECT_NEAR(got[i], want.data[i], 1e-5 * (1 + std::fabs(want.data[i]))) << i;
}

struct terms {
  constexpr auto operator()(auto x) const {
    return ts::shard_map<ts::out_specs<ts::P<ts::none, mp, ts::unreduced<dp>>>>([](auto b) {
      auto const u = ts::pcast<dp>(b, ts::to_unreduced);
      static_assert(ts::type_text<decltype(u)> == "float32[2,2]{V:mp, U:dp}");
      return u + u;
    })(x);
  }
};
struct summed_outside {
  constexpr auto operator()(auto x) const { return ts::reshard<ts::P<ts::none, mp>>(terms{}(x)); }
};

TEST(pcast, terms_leave_and_are_summed_outside) {
  auto const x = put<ts::P<dp, mp>, 8, 4>(whole);
  auto const y = ts::jit<terms>(x);
  static_assert(ts::type_text<decltype(y)> == "float32[2,4@mp]{U:dp}");
  static_assert(ts::comm_of<terms, decltype(x)>.count(ts::collective::all_reduce) == 0);
  near(ts::jit<summed_outside>(x).to_host(), oracle::multiply(summed_over_dp(whole), 2.0));
}
TEST(pcast, sums_take_terms) {
  auto const x = put<ts::P<dp, mp>, 8, 4>(whole);
  auto const sum = ts::shard_map<ts::out_specs<ts::P<ts::none, mp>>>([](auto b) {
    auto const s = ts::psum<dp>(ts::pcast<dp>(b, ts::to_unreduced));
    static_assert(ts::type_text<decltype(s)> == "float32[2,2]{V:mp}");
    return s;
  })(x);
  near(sum.to_host(), summed_over_dp(whole));
  auto const parts = ts::shard_map<ts::out_specs<ts::P<dp, mp>>>([](auto b) {
    auto const s = ts::psum_scatter<dp>(ts::pcast<dp>(ts::concatenate<0>(b, b), ts::to_unreduced), ts::tiled);
    static_assert(ts::type_text<decltype(s)> == "float32[1,2]{V:(dp,mp)}");
    return s;
  })(x);
  auto const once = summed_over_dp(whole);
  near(parts.to_host(), oracle::concatenate({once, once}, 0));
}
// What is reduced meets what differs: it differs. Terms are scaled by what is reduced over their axes.
TEST(pcast, states_that_meet) {
  auto const x = put<ts::P<dp, mp>, 8, 4>(whole);
  auto const y = ts::shard_map<ts::out_specs<ts::P<dp, mp>>>([](auto b) {
    auto const r = ts::pcast<dp>(ts::psum<dp>(b), ts::to_reduced);
    static_assert(ts::type_text<decltype(r)> == "float32[2,2]{V:mp, R:dp}");
    static_assert(ts::type_text<decltype(ts::sin(r))> == "float32[2,2]{V:mp, R:dp}");
    static_assert(ts::type_text<decltype(ts::pcast<dp>(r, ts::to_varying))> == "float32[2,2]{V:(dp,mp)}");
    auto const scaled = ts::psum<dp>(ts::pcast<dp>(b, ts::to_unreduced) * r);
    static_assert(ts::type_text<decltype(scaled)> == "float32[2,2]{V:mp}");
    auto const all = ts::all_gather_reduced<dp>(b, ts::dim<0>, ts::tiled);
    static_assert(ts::type_text<decltype(all)> == "float32[8,2]{V:mp, R:dp}");
    return r * b + scaled + ts::slice_in_dim<0, 0, 2>(all);
  })(x);
  auto const sums = summed_over_dp(whole);
  auto const repeated = [](tensor const& t) {
    return oracle::reshape(oracle::broadcast_to(oracle::reshape(t, {1, 2, 4}), {4, 2, 4}), {8, 4});
  };
  near(y.to_host(),
       repeated(sums) * whole + repeated(sums * sums) + repeated(oracle::slice(whole, {0, 0}, {2, 4}, {1, 1})));
}

// A parameter that was cast to reduced has a gradient of terms: nothing is sent before psum asks for it.
struct lazily {
  constexpr auto operator()(auto x, auto w) const {
    return ts::shard_map<ts::in_specs<ts::P<dp>, ts::P<>>, ts::out_specs<ts::P<ts::unreduced<dp>>>>([](auto b, auto p) {
      auto const slope = ts::grad([b](auto q) { return ts::sum(ts::square(b * q)); })(ts::pcast<dp>(p, ts::to_reduced));
      static_assert(ts::type_text<decltype(slope)> == "float32[4]{U:dp}");
      return slope;
    })(x, w);
  }
};
TEST(pcast, gradients_by_what_is_reduced_are_terms) {
  auto const x = put<ts::P<dp>, 8, 4>(whole);
  tensor const w = oracle::scattered({4}, -1, 1, 6);
  auto const p = put<ts::P<>, 4>(w);
  static_assert(ts::comm_of<lazily, decltype(x), decltype(p)>.count(ts::collective::all_reduce) == 0);
  auto const terms = ts::jit<lazily>(x, p);
  near(ts::jit([](auto v) { return ts::reshard<ts::P<>>(v); })(terms).to_host(),
       oracle::multiply(oracle::sum(whole * whole, {0}) * w, 2.0));
}

// A parameter that is gathered where it is used: its gradient is each device's part of terms, over another axis.
struct gathered_lazily {
  constexpr auto operator()(auto x, auto w) const {
    using out = ts::P<mp, ts::unreduced<dp>>;
    return ts::shard_map<ts::in_specs<ts::P<dp>, ts::P<mp>>, ts::out_specs<out>>([](auto b, auto p) {
      auto const slope = ts::grad([b](auto q) {
        return ts::sum(ts::square(b * ts::all_gather_invariant<mp>(q, ts::dim<0>, ts::tiled)));
      })(ts::pcast<dp>(p, ts::to_reduced));
      static_assert(ts::type_text<decltype(slope)> == "float32[2]{V:mp, U:dp}");
      return slope;
    })(x, w);
  }
};
TEST(pcast, parts_of_terms_are_terms) {
  auto const x = put<ts::P<dp>, 8, 4>(whole);
  tensor const w = oracle::scattered({4}, -1, 1, 7);
  auto const terms = ts::jit<gathered_lazily>(x, put<ts::P<mp>, 4>(w));
  near(ts::jit([](auto v) { return ts::reshard<ts::P<>>(v); })(terms).to_host(),
       oracle::multiply(oracle::sum(whole * whole, {0}) * w, 2.0));
}
// Of terms no device's stands for the others, also where types say nothing.
TEST(pcast, terms_pass_through_unchecked_regions) {
  using spec = ts::P<ts::none, mp, ts::unreduced<dp>>;
  auto const y = ts::jit<terms>(put<ts::P<dp, mp>, 8, 4>(whole));
  auto const z =
      ts::shard_map<ts::in_specs<spec>, ts::out_specs<spec>, ts::check_vma<false>>([](auto v) { return v + v; })(y);
  near(ts::jit([](auto v) { return ts::reshard<ts::P<>>(v); })(z).to_host(),
       oracle::multiply(summed_over_dp(whole), 4.0));
}

// Gradients from outside, through each cast, against central differences.
template <class Inside>
struct weighted {
  constexpr auto operator()(auto x) const {
    auto const y = ts::shard_map<ts::out_specs<ts::P<dp>>>([](auto b) { return Inside{}(b * b); })(x);
    return ts::sum(y * ts::astype<double>(ts::iota<ts::int32, 0, decltype(y)::type::value.extent(0), 2>()));
  }
};
struct through_terms {
  constexpr auto operator()(auto v) const { return ts::psum<dp>(ts::pcast<dp>(v * v, ts::to_unreduced)) + v; }
};
struct through_scattered_terms {
  constexpr auto operator()(auto v) const {
    return ts::psum_scatter<dp>(ts::pcast<dp>(v * v, ts::to_unreduced), ts::tiled);
  }
};
struct through_reduced {
  constexpr auto operator()(auto v) const { return ts::pcast<dp>(ts::psum<dp>(v), ts::to_reduced) * v; }
};
struct through_gathered {
  constexpr auto operator()(auto v) const {
    return ts::all_gather_reduced<dp>(v, ts::dim<0>, ts::tiled) * ts::axis_index<dp>();
  }
};
struct through_scaled_terms {
  constexpr auto operator()(auto v) const {
    auto const factor = ts::pcast<dp>(ts::psum<dp>(v), ts::to_reduced);
    return ts::psum<dp>(ts::pcast<dp>(v, ts::to_unreduced) * factor) * v;
  }
};
template <class Inside>
void agrees_with_differences() {
  using f = weighted<Inside>;
  tensor const start = oracle::scattered({16, 2}, -1, 1, 9);
  auto values = start.data;
  auto const placed = [&](std::vector<double> const& v) {
    return ts::device_put<ts::P<dp>>(ts::host<16, 2>(v), ts::make_mesh<grid>(ts::devices()));
  };
  auto const slope = ts::grad(f{})(placed(values)).to_host();
  for (std::size_t i = 0; i < values.size(); ++i) {
    double const kept = values[i], h = 1e-5;
    values[i] = kept + h;
    double const above = ts::jit<f>(placed(values)).item();
    values[i] = kept - h;
    double const below = ts::jit<f>(placed(values)).item();
    values[i] = kept;
    EXPECT_NEAR(slope[i], (above - below) / (2 * h), 1e-5) << i;
  }
}
TEST(pcast, gradients_through_casts) {
  agrees_with_differences<through_terms>();
  agrees_with_differences<through_scattered_terms>();
  agrees_with_differences<through_reduced>();
  agrees_with_differences<through_gathered>();
  agrees_with_differences<through_scaled_terms>();
}

// What is refused: casts between other states, and operations that are not linear in a sum.
template <class Inside>
struct inside {
  constexpr auto operator()(auto x) const {
    return ts::shard_map<ts::out_specs<ts::P<dp>>>([](auto b) { return Inside{}(b); })(x);
  }
};
template <class Inside>
using refusal = ts::why<inside<Inside>, ts::array_type<float, ts::shape<8>, ts::P<dp>, grid>>;
template <template <class...> class Error, class T>
inline constexpr bool is = false;
template <template <class...> class Error, class... F>
inline constexpr bool is<Error, Error<F...>> = true;
struct varying_to_reduced {
  constexpr auto operator()(auto b) const { return ts::pcast<dp>(b, ts::to_reduced); }
};
struct same_to_unreduced {
  constexpr auto operator()(auto b) const { return ts::pcast<dp>(ts::psum<dp>(b), ts::to_unreduced); }
};
struct terms_to_varying {
  constexpr auto operator()(auto b) const { return ts::pcast<dp>(ts::pcast<dp>(b, ts::to_unreduced), ts::to_varying); }
};
struct maximum_of_terms {
  constexpr auto operator()(auto b) const { return ts::pmax<dp>(ts::pcast<dp>(b, ts::to_unreduced)); }
};
struct terms_and_a_value {
  constexpr auto operator()(auto b) const { return ts::pcast<dp>(b, ts::to_unreduced) + b; }
};
struct terms_left {
  constexpr auto operator()(auto b) const { return ts::pcast<dp>(b, ts::to_unreduced); }
};
static_assert(is<ts::error::malformed_cast, refusal<varying_to_reduced>>);
static_assert(is<ts::error::malformed_cast, refusal<same_to_unreduced>>);
static_assert(is<ts::error::malformed_cast, refusal<terms_to_varying>>);
static_assert(is<ts::error::unreduced_operand, refusal<maximum_of_terms>>);
static_assert(is<ts::error::unreduced_operand, refusal<terms_and_a_value>>);
static_assert(is<ts::error::result_varies, refusal<terms_left>>);

}  // namespace
