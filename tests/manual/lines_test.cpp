// SPDX-License-Identifier: Apache-2.0
// What a transformed function communicates when it is called on arrays, or is asked about by itself, stands on lines of the
// user's, or on none: never on one of the library's.

#include <tessera/tessera.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {
using namespace tessera;

struct dp : axis {};
struct mp : axis {};
using grid = mesh<explicit_axis<dp, 4>, explicit_axis<mp, 2>>;
using x_type = array_type<float, shape<8, 4>, P<none, mp>, grid>;

template <class F>
std::string table(F const&) {
  return explain(comm_of<F, x_type>);
}
void expect_no_line_of_ours(std::string const& text) { EXPECT_EQ(text.find(".hpp"), std::string::npos) << text; }

TEST(lines, of_a_region_that_brings_its_argument_into_place) {
  auto const region = shard_map<in_specs<P<>>, out_specs<P<>>, axis_names<mp>>([](auto block) {
    return psum<mp>(block * 2);  // the user's line
  });
  std::string const text = table(region);
  expect_no_line_of_ours(text);
  EXPECT_NE(text.find("the call"), std::string::npos) << text;
  EXPECT_NE(text.find("lines_test.cpp:" + std::to_string(__LINE__ - 5)), std::string::npos) << text;
}
TEST(lines, of_a_gradient) {
  auto const loss = [](auto x) { return sum(reshard<P<>>(x) * x); };
  expect_no_line_of_ours(table(grad(loss)));
  expect_no_line_of_ours(table(value_and_grad(loss)));
}
TEST(lines, of_mapped_functions) {
  auto const rows = vmap([](auto row) { return row / sum(row); });
  expect_no_line_of_ours(table(rows));
  auto const gradients = vmap(grad([](auto row) { return sum(reshard<P<>>(row) * row); }));
  expect_no_line_of_ours(table(gradients));
}
TEST(lines, of_a_gradient_of_a_region) {
  auto const region =
      shard_map<in_specs<P<>>, out_specs<P<>>, axis_names<mp>>([](auto block) { return psum<mp>(block * block); });
  expect_no_line_of_ours(table(grad([](auto x) { return sum(decltype(region){}(x)); })));
}
TEST(lines, of_a_refused_region) {
  auto const region = shard_map<in_specs<P<none, mp>>, out_specs<P<>>>([](auto block) { return block; });
  expect_no_line_of_ours(why_text<decltype(region), x_type>());
  EXPECT_NE((why_text<decltype(region), x_type>()), "");
}

}  // namespace
