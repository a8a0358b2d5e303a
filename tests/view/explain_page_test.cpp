// SPDX-License-Identifier: Apache-2.0
// The page, the SVG and the Graphviz text have each operation that is needed and each message, whatever the program; the page
// holds the text of this file. tests/checks/explained_page.py reads the pages of the examples, and runs their script.

#include <tessera/graph/canonical.hpp>
#include <tessera/view/explain_program.hpp>

#include "support/strict_grid.hpp"

#include <gtest/gtest.h>

#include <string>
#include <tuple>

namespace {

using namespace strict_grid;
using W = floats<ts::P<ts::none, mp>, 32, 32>;

std::size_t count(std::string const& text, std::string const& word) {
  std::size_t n = 0;
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + word.size())) ++n;
  return n;
}

constexpr auto loss = [](auto w, auto x) {
  auto const turn = [&](auto c) {
    return std::tuple{ts::tanh(ts::reshard<ts::P<dp>>(ts::matmul(c, w))), std::tuple{}};
  };
  [[maybe_unused]] auto const dead = ts::exp(x);
  return ts::sum(std::get<0>(ts::scan<3>(turn, x)));
};
constexpr auto step = ts::value_and_grad(loss);
constexpr auto plain = [](auto x) { return x + x; };

template <class F, class... A>
void shows_all() {
  using T = ts::trace_of<F, A...>;
  ts::growable_graph const needed = ts::canonical(ts::growable_graph::copy_of(T::program.view()));
  std::size_t const operations = needed.nodes.size(),
                    messages = ts::detail::all_messages(ts::lower(T::program.view())).size();
  std::string const page = ts::explain_html<F, A...>({"<w>", "x & y"});
  EXPECT_EQ(count(page, "<div class=\"op "), operations);
  EXPECT_EQ(count(page, "<div class=\"message\""), messages);
  EXPECT_EQ(count(page, "<td><a href=\"#m"), messages);
  EXPECT_EQ(count(page, "<g class=\"row\""), operations);
  EXPECT_NE(page.find("&lt;w&gt;"), std::string::npos);
  EXPECT_EQ(page.find("<w>"), std::string::npos);
  EXPECT_EQ(count(page, "=\"http"), 0u);

  std::string const svg = ts::explain_svg<F, A...>({"<w>"});
  EXPECT_EQ(count(svg, "<g class=\"row\""), operations);
  EXPECT_EQ(count(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\""), 1u);
  EXPECT_EQ(count(svg, "<g "), count(svg, "</g>"));

  std::string const dot = ts::explain_dot<F, A...>({"\"w\""});
  EXPECT_EQ(count(dot, "\\n") / 2, operations) << dot;
  EXPECT_EQ(count(dot, "shape=ellipse"), messages);
  EXPECT_EQ(count(dot, "{"), count(dot, "}"));
  EXPECT_NE(dot.find("\\\"w\\\""), std::string::npos);
}
TEST(explain_page, shows_each_operation_and_message) {
  shows_all<std::remove_cv_t<decltype(step)>, W, X>();
  shows_all<std::remove_cv_t<decltype(plain)>, X>();
}
// Its totals are those of what is sent: two gradients go together. Types stand there as they print.
constexpr auto two_sums = [](auto a, auto b, auto x) { return ts::sum(ts::tanh(x * a + b) * 2.0f); };
constexpr auto slopes = ts::grad<0, 1>(two_sums);
TEST(explain_page, counts_what_is_sent) {
  using B = floats<ts::P<>, 32>;
  using both = floats<ts::P<ts::axes<dp, mp>>, 64, 32>;
  using F = std::remove_cv_t<decltype(slopes)>;
  std::string const page = ts::explain_html<F, B, B, both>();
  EXPECT_NE(page.find("; 1 collectives, 448 bytes sent"), std::string::npos);
  EXPECT_NE(page.find("2 values move in 1 messages"), std::string::npos);
  EXPECT_NE(page.find(" ~float32[]"), std::string::npos);
  EXPECT_NE(page.find("float32[64@(<span"), std::string::npos);
}
TEST(explain_page, shows_the_source) {
  std::string const page = ts::explain_html<std::remove_cv_t<decltype(step)>, W, X>();
  EXPECT_NE(page.find("// as written: 1 &lt; 2</div>"), std::string::npos);  // as written: 1 < 2
  EXPECT_NE(page.find("class=\"sends\""), std::string::npos);
}

}  // namespace
