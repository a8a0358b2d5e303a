// SPDX-License-Identifier: Apache-2.0
// One dimension that an Explicit and an Auto axis split together: the type says the former, the sharding both, as JAX 0.10.2
// has it.

#include <tessera/tessera.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

namespace ts = tessera;
using ts::none;
using ts::P;

struct ep : ts::axis {};
struct ap : ts::axis {};
using mixed = ts::mesh<ts::explicit_axis<ep, 4>, ts::auto_axis<ap, 2>>;
using explicit_first = P<ts::axes<ep, ap>>;
using auto_first = P<ts::axes<ap, ep>>;

template <class S>
auto put() {
  std::vector<double> v(128);
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<double>(i);
  return ts::device_put<S>(ts::host<16, 8>(v), ts::make_mesh<mixed>(ts::devices()));
}
template <class X>
void lies(X const& x, std::string const& spec) {
  EXPECT_EQ(ts::type_text<X>, "float64[16@ep,8]");
  EXPECT_EQ(x.sharding().spec().text(), spec);
  auto const numbers = x.to_host();
  for (std::size_t i = 0; i < numbers.size(); ++i) EXPECT_EQ(numbers[i], 2 * static_cast<double>(i)) << i;
}
constexpr auto doubled = [](auto x) { return x * 2; };

TEST(shared_dimension, of_an_explicit_and_an_auto_axis) {
  lies(ts::jit(doubled)(put<explicit_first>()), "P(('ep', 'ap'), None)");
  lies(ts::jit(doubled)(put<auto_first>()), "P(('ap', 'ep'), None)");
  auto const x = put<P<ep>>();
  lies(ts::jit<ts::out_shardings<explicit_first>>(doubled)(x), "P(('ep', 'ap'), None)");
  lies(ts::jit([](auto v) { return ts::with_sharding_constraint<P<ap>>(v) * 2; })(x), "P(('ep', 'ap'), None)");
}
TEST(shared_dimension, is_summed_and_differentiated) {
  auto const x = put<explicit_first>();
  auto const sums = ts::jit([](auto v) { return ts::sum<0>(v); })(x).to_host();
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(sums[i], 16 * static_cast<double>(i) + 960);
  lies(ts::jit(ts::grad([](auto v) { return ts::sum(v * v); }))(x), "P(('ep', 'ap'), None)");
}

// reshard is for Explicit axes and with_sharding_constraint for Auto ones: neither takes both.
struct resharded {
  constexpr auto operator()(auto x) const { return ts::reshard<explicit_first>(x); }
};
struct constrained {
  constexpr auto operator()(auto x) const { return ts::with_sharding_constraint<explicit_first>(x); }
};
TEST(shared_dimension, is_asked_for_by_neither_door_alone) {
  using x_type = ts::array_type<float, ts::shape<16, 8>, P<ep>, mixed>;
  EXPECT_NE((std::string(ts::why_text<resharded, x_type>()).find("the spec names ap, not an Explicit axis")),
            std::string::npos);
  EXPECT_NE((std::string(ts::why_text<constrained, x_type>()).find("the spec names ep, not an Auto axis")),
            std::string::npos);
}

}  // namespace
