// SPDX-License-Identifier: Apache-2.0
// Every case of tests/conformance that names ops we have, judged by our rules: the same types, or the same refusal.

#include "support/conformance_maths.hpp"
#include "support/conformance_moves.hpp"

#include <gtest/gtest.h>

#include <iostream>
#include <sstream>

namespace conformance {
namespace {

operation_table const& table() {
  static operation_table const all = [] {
    operation_table t;
    add_elementwise(t);
    add_reductions(t);
    add_contractions(t);
    add_creation(t);
    add_movement(t);
    add_slicing(t);
    return t;
  }();
  return all;
}

json::value known_differences() {
  std::ifstream in(std::string(TESSERA_SOURCE_DIR) + "/tests/conformance/differences.json");
  std::stringstream text;
  text << in.rdbuf();
  return json::parse(text.str());
}

std::string expected_of(json::value const& test) {
  if (test["expect"].has("error")) return "error: " + test["expect"]["error"].text;
  std::string text;
  for (auto const& type : test["expect"]["types"].items) text += (text.empty() ? "" : " ") + type["str"].text;
  return text;
}

class Conformance : public testing::TestWithParam<char const*> {};

TEST_P(Conformance, TypesAreJaxs) {
  auto const allowed = known_differences();
  int agree = 0, listed = 0, differ = 0, ungraded = 0;
  std::map<std::string, int> skipped;
  for (auto const& test : cases_in(GetParam())) {
    auto const& id = test["id"].text;
    if (test["expect"]["error"].text == "jax_limitation") {
      ++ungraded;
      continue;
    }
    try {
      outcome const result = run(test, table())();
      if (result.agrees) {
        ++agree;
        EXPECT_FALSE(allowed.has(id)) << id << " agrees: remove it from tests/conformance/differences.json";
      } else if (allowed.has(id)) {
        ++listed;
      } else {
        ++differ;
        ADD_FAILURE() << id << "\n  JAX:  " << expected_of(test) << "\n  ours: " << result.ours;
      }
    } catch (not_covered const& what) {
      ++skipped[what.why];
    }
  }
  int skips = 0;
  for (auto const& [why, count] : skipped) skips += count;
  std::cout << GetParam() << ": " << agree << " agree, " << differ << " differ, " << listed << " differ as listed, "
            << skips << " not covered, " << ungraded << " not graded (JAX itself fails)\n  not covered:";
  for (auto const& [why, count] : skipped) std::cout << ' ' << why << " (" << count << ')';
  std::cout << '\n';
}

INSTANTIATE_TEST_SUITE_P(Files, Conformance, testing::Values("propagate.jsonl", "modes.jsonl"), [](auto const& file) {
  return std::string(file.param).substr(0, std::string(file.param).find('.'));
});

}  // namespace
}  // namespace conformance
