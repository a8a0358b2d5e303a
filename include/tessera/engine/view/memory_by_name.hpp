// SPDX-License-Identifier: Apache-2.0
#pragma once
// The use of a device's memory: the table of memory_of, with the temporaries at the peak, then the largest arguments by
// name; of a tree, its leaves.

#include <tessera/engine/view/reasons.hpp>
#include <tessera/plan/explain/explain.hpp>
#include <tessera/plan/memory/memory_use.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace tessera::detail {

// `local`: the lowered program.
inline std::string memory_by_name(memory_use const& use, graph_view const& local, reason_writer const& words) {
  constexpr std::size_t shown = memory_use::shown;
  struct held {
    std::int64_t bytes;
    int input;
  };
  std::vector<held> arguments;
  for (int i = 0; i < local.input_count; ++i) {
    array_value const& block = local[local.inputs[i]].facts;
    arguments.push_back({block.size() * bytes_of(block.element), i});
  }
  std::sort(arguments.begin(), arguments.end(),
            [](held a, held b) { return std::pair(-a.bytes, a.input) < std::pair(-b.bytes, b.input); });
  growable<std::array<std::string, 3>> rows;
  rows.push_back({"arguments", "bytes", "name"});
  std::int64_t others = 0;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (i >= shown) {
      others += arguments[i].bytes;
      continue;
    }
    array_value facts = local[local.inputs[arguments[i].input]].facts;
    facts.varying = {};  // the blocks of all devices are equally large
    std::string block;
    describe_to(block, facts, mesh_value{});
    rows.push_back({block, std::to_string(arguments[i].bytes), words.input(arguments[i].input)});
  }
  if (arguments.size() > shown)
    rows.push_back({std::to_string(arguments.size() - shown) + " others", std::to_string(others), ""});
  return explain(use) + (arguments.empty() ? std::string() : text_table<3>(rows, 2));
}

}  // namespace tessera::detail
