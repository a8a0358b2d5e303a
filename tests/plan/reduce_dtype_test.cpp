// SPDX-License-Identifier: Apache-2.0
// reduce_dtype: gradients in 16 bits that are summed over devices in 32, and the other way around: bytes by hand, and values
// where devices are of one process, which adds up 16 bits in 32 anyway.

#include "support/summed_gradients.hpp"

namespace {

using namespace summed_gradients;

TEST(reduce_dtype, sums_of_16_bits_take_twice_the_bytes) {
  fall<ts::bfloat16>(1);
  fall<ts::float16>(1);
}

#ifndef TESSERA_BY_DAY
// The gradient is read by what follows it, and its sum waits for that.
template <class G>
struct step {
  constexpr auto operator()(auto w, auto... rest) const { return w - (G{}(w, rest...) + G{}(w * 2, rest...)) * 0.5; }
};
TEST(reduce_dtype, goes_with_sums_that_wait) {
  auto const w = in<ts::bfloat16>(put<P<>, 8, 16>(0.7));
  auto const x = in<ts::bfloat16>(put<P<both>, 64, 8>(1.3));
  auto const c = in<ts::bfloat16>(put<P<both>, 64, 16>(2.1));
  static_assert(cost<step<wide<weights>>, decltype(w), decltype(x), decltype(c)>.bytes() ==
                2 * cost<step<plain<weights>>, decltype(w), decltype(x), decltype(c)>.bytes());
  auto const want = ts::jit<step<plain<weights>>>(w, x, c), got = ts::jit<step<wide<weights>>>(w, x, c);
  expect(
      in<double>(got),
      [&] {
        auto const all = in<double>(want).to_host();
        return std::vector<double>(all.begin(), all.end());
      }(),
      0.2);
}

// Gradients in double that are sent in 16 bits, beside the value, which is not.
TEST(reduce_dtype, may_have_fewer_bits) {
  auto const w = put<P<>, 8, 16>(0.7);
  auto const x = put<P<both>, 64, 8>(1.3);
  auto const c = put<P<both>, 64, 16>(2.1);
  constexpr auto narrow = ts::value_and_grad(weights{}, ts::reduce_dtype<ts::bfloat16>);
  constexpr auto own = ts::value_and_grad(weights{});
  using narrow_type = std::remove_cvref_t<decltype(narrow)>;
  using own_type = std::remove_cvref_t<decltype(own)>;
  static_assert(cost<own_type, decltype(w), decltype(x), decltype(c)>.bytes() == (128 * 8 + 8) * 2 * 7 / 8);
  static_assert(cost<narrow_type, decltype(w), decltype(x), decltype(c)>.bytes() == (128 * 2 + 8) * 2 * 7 / 8);
  auto const [value, slope] = ts::jit(narrow)(w, x, c);
  auto const [same_value, want] = ts::jit(own)(w, x, c);
  near(value, same_value);
  auto const all = want.to_host();
  expect(slope, {all.begin(), all.end()}, 1.0);
}
#endif

}  // namespace
