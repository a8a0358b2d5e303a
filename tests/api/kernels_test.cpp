// SPDX-License-Identifier: Apache-2.0
// Programs run by their own kernels and by loops that are ready: the same bits. Which of both runs a step.
// optimized

#include <tessera/tessera.hpp>

#include <gtest/gtest.h>

#include <cstring>

namespace {

namespace ts = tessera;
struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;

// An op that the library does not have.
struct softsign : ts::ops::unary<softsign, ts::ops::accepts::floats> {
  static constexpr std::string_view name = "softsign";
  template <class T>
  TESSERA_FUNCTION static T eval(T x) {
    return x / (T(1) + (x < 0 ? -x : x));
  }
};
inline constexpr ts::unary_door<softsign> soft_sign;

// All fused steps compiled and all interpreted; the bytes of every result. Lines are padded with what was there.
template <class F, class... X>
void same_bits(F const&, X const&... x) {
  using T = ts::trace_of<F, ts::signature_of<X>...>;
  ts::plan_view const plan = ts::detail::planned<T>::value.view();
  ts::detail::loaded_program const compiled(plan, T::results, ts::kernels_of<ts::detail::planned<T>::value, false>());
  ts::detail::loaded_program const interpreted(plan, T::results, nullptr);
  auto const own = compiled({x.stored()...}), ready = interpreted({x.stored()...});
  ts::fence();
  ASSERT_EQ(own.size(), ready.size());
  for (std::size_t r = 0; r < own.size(); ++r) {
    auto const facts = ts::stored_block(own[r].facts, *plan.local.mesh);
    auto const size = static_cast<std::size_t>(facts.size() * ts::bytes_of(facts.element));
    auto const step = static_cast<std::size_t>(ts::block_stride(facts) * ts::bytes_of(facts.element));
    for (std::int64_t block = 0; block < plan.local.mesh->devices(facts.varying); ++block) {
      auto const at = static_cast<std::size_t>(block) * step;
      EXPECT_EQ(std::memcmp(own[r].memory.data() + at, ready[r].memory.data() + at, size), 0)
          << "result " << r << ", block " << block;
    }
  }
}

bool has_kernel(ts::fused_kernel const* kernels, int step) {
  return kernels && (kernels[step].strip || kernels[step].launch);
}

template <class T>
auto counted(std::int64_t count) {
  std::vector<T> v(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < v.size(); ++i)
    v[i] = static_cast<T>(static_cast<float>(i * 37 % 101) / 16 - (std::is_unsigned_v<T> ? 0 : 3));
  return v;
}
template <class T, std::int64_t Rows, std::int64_t Columns>
auto on_grid() {
  return ts::device_put<ts::P<dp, mp>>(ts::host<Rows, Columns>(counted<T>(Rows * Columns)),
                                       ts::make_mesh<grid>(ts::devices()));
}

constexpr auto softmax = [](auto x) { return ts::softmax(x); };
constexpr auto layer_norm = [](auto x) {
  auto const centered = x - ts::mean<1>(x, ts::keepdims);
  return centered * ts::rsqrt(ts::mean<1>(centered * centered, ts::keepdims) + 1e-5);
};
constexpr auto gelu_and_max = [](auto x, auto y) { return std::tuple{ts::gelu(x) * y, ts::max<1>(ts::abs(x - y))}; };
constexpr auto update = [](auto p, auto m, auto g) {
  auto const next = 0.9 * m + 0.1 * g;
  return std::tuple{p - 0.01 * next / (ts::sqrt(g * g) + 1e-8), next};
};
constexpr auto masked = [](auto x) {
  auto const small = ts::abs(x) < 1.5;
  return std::tuple{ts::where(small, x, 0.25), small && x > 0.0, ts::sum<1>(ts::astype<std::int32_t>(small))};
};
constexpr auto whole = [](auto x) {
  return std::tuple{x * 7 + ts::remainder(x, 5), x / 3 > 1, ts::sum<1>(x), ts::max<1>(x)};
};
// g++ 12 joins the products of complex numbers with their sum on processors that can, whatever -ffp-contract says, where it
// makes vector code: not in the same places of both ways.
#if defined(__FMA__) && defined(__GNUC__) && !defined(__clang__)
constexpr bool complex_is_exact = false;
#else
constexpr bool complex_is_exact = true;
#endif
constexpr auto turned = [](auto x) {
  auto const z = ts::complex(x, x * 0.5);
  return std::tuple{ts::real(z * z), ts::imag(ts::conj(z) * ts::exp(z))};
};
constexpr auto rounded = [](auto x) { return std::tuple{ts::tanh(x) * x, ts::astype<float>(x) + 1.0f, ts::sum<1>(x)}; };
// A value a row, one a column, a transposed operand, another element type.
constexpr auto spread = [](auto x) {
  auto const column = ts::max<1>(x, ts::keepdims);
  return std::tuple{x * ts::min<0>(x) + column, ts::transpose(x) * 2 + ts::transpose(x * x),
                    ts::astype<float>(x) * 2 + ts::astype<float>(column)};
};
constexpr auto doubled = [](auto x) { return x + x; };
constexpr auto counted_rows = [](auto x) { return x + ts::sum<0>(x) + soft_sign(x); };

template <std::int64_t Rows, std::int64_t Columns>
void all_programs() {
  auto const x = on_grid<float, Rows, Columns>();
  same_bits(softmax, x);
  same_bits(layer_norm, x);
  same_bits(gelu_and_max, x, x);
  same_bits(update, x, x, x);
  same_bits(masked, x);
  if constexpr (complex_is_exact) same_bits(turned, x);
  same_bits(counted_rows, x);
  same_bits(softmax, on_grid<double, Rows, Columns>());
  same_bits(whole, on_grid<std::int32_t, Rows, Columns>());
}
template <class T, std::int64_t Rows, std::int64_t Columns>
void narrow_programs() {
  auto const x = on_grid<T, Rows, Columns>();
  same_bits(spread, x);
  if constexpr (std::is_integral_v<T>) {
    same_bits(whole, x);
  } else {
    same_bits(rounded, x);
    same_bits(softmax, x);
  }
}
template <std::int64_t Rows, std::int64_t Columns>
void all_narrow_programs() {
  narrow_programs<ts::bfloat16, Rows, Columns>();
  narrow_programs<ts::float16, Rows, Columns>();
  narrow_programs<std::int8_t, Rows, Columns>();
  narrow_programs<std::uint8_t, Rows, Columns>();
  narrow_programs<std::int16_t, Rows, Columns>();
}

}  // namespace

TEST(kernels, give_the_bits_of_ready_loops) {
  if (!ts::runs_on_host) GTEST_SKIP() << "an accelerator runs compiled programs only";
  all_programs<8, 10>();
  all_programs<12, 700>();
}

// Elements that are narrower than registers: read and written as they are, also past the caches.
TEST(kernels, give_the_bits_of_ready_loops_to_narrow_elements) {
  if (!ts::runs_on_host) GTEST_SKIP() << "an accelerator runs compiled programs only";
  all_narrow_programs<8, 10>();
  all_narrow_programs<12, 704>();
  same_bits(doubled, on_grid<ts::bfloat16, 4096, 8192>());
}

TEST(kernels, small_steps_have_none) {
  constexpr auto step = [](auto x, auto b) { return std::tuple{ts::tanh(x) * x, b - 0.5 * ts::exp(b)}; };
  using X = ts::array_type<float, ts::shape<512, 512>, ts::P<dp, mp>, grid>;
  using B = ts::array_type<float, ts::shape<8>, ts::P<ts::none>, grid>;
  using T = ts::trace_of<decltype(step), X, B>;
  ts::plan_view const plan = ts::detail::planned<T>::value.view();
  ts::fused_kernel const* const kernels = ts::kernels_of<ts::detail::planned<T>::value>();
  ASSERT_EQ(plan.step_count, 2);
  for (int s = 0; s < 2; ++s) {
    bool const small = plan.local[plan.steps[s].node].facts.rank == 1;
    bool const compiled = has_kernel(kernels, s);
    bool const expected = !ts::detail::kernels_from_engine && (!small || !ts::detail::has_engine || !ts::runs_on_host);
    EXPECT_EQ(compiled, expected) << s;
  }
}
