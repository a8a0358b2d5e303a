// SPDX-License-Identifier: Apache-2.0
#pragma once
// One operation of a program: its operands (earlier nodes), its parameters, the facts of its result, its source line.

#include <tessera/graph/op_info.hpp>
#include <tessera/graph/scope.hpp>

#include <source_location>

namespace tessera {

// The purpose of an operation. `recomputed`: forward work repeated for a gradient that did not keep its values.
enum class program_pass : std::uint8_t { forward, backward, recomputed };
constexpr std::string_view name_of(program_pass pass) {
  constexpr std::string_view names[]{"forward", "backward", "recomputed"};
  return names[static_cast<int>(pass)];
}

// Where the user wrote an operation, its pass, and the named scopes around it.
struct site {
  char const* file = "";
  std::uint32_t line = 0;
  program_pass pass = program_pass::forward;
  dtype sums = dtype::boolean;  // dtype of sums over devices for it; boolean: its own
  scope_path scope{};

  constexpr site() = default;
  constexpr site(std::source_location at) : file(at.file_name()), line(at.line()) {}
};

struct node {
  op_info const* op = nullptr;
  int first_operand = 0;  // in the graph's operand list
  int operand_count = 0;
  attributes attrs{};
  array_value facts{};
  site at{};
  int first_region = 0, region_count = 0;  // the regions that it runs: graph.hpp
};

}  // namespace tessera
