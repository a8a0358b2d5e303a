// SPDX-License-Identifier: Apache-2.0
#pragma once
// A step of a program: an operation, its operands (earlier nodes), parameters, the facts of its result, its line.

#include <tessera/graph/op_info.hpp>

#include <source_location>

namespace tessera {

// What an operation is there for. `recomputed`: forward work done again for a gradient, which did not keep its values.
enum class program_pass : std::uint8_t { forward, backward, recomputed };
constexpr std::string_view name_of(program_pass pass) {
  constexpr std::string_view names[]{"forward", "backward", "recomputed"};
  return names[static_cast<int>(pass)];
}

// Where the user wrote an operation, and in which pass of a gradient it stands.
struct site {
  char const* file = "";
  std::uint32_t line = 0;
  program_pass pass = program_pass::forward;
  dtype sums = dtype::boolean;  // that of what is added up over devices for it; boolean: its own

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
  int first_region = 0, region_count = 0;  // the parts of the program that it runs: graph.hpp
};

}  // namespace tessera
