// SPDX-License-Identifier: Apache-2.0
#pragma once
// One operation of a program: its operands (earlier nodes), its parameters, the facts of its result, its source line.

#include <tessera/base/written_otherwise.hpp>
#include <tessera/graph/op_info.hpp>
#include <tessera/graph/scope.hpp>
#include <tessera/spec/asked_layout.hpp>

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
  // f(x, out_sharding<P<...>>) of a function that takes no layout. consteval: g++ then names the line of the call; of a
  // constexpr constructor it may name the last line of the file.
  template <class Layout>
    requires(std::is_base_of_v<asked_layout, Layout>&& std::is_empty_v<Layout>)
  consteval site(Layout const&) { written::takes_no_layout<Layout>::explain(); }
  template <class Layout>
    requires(std::is_base_of_v<asked_layout, Layout> && !std::is_empty_v<Layout>)
  constexpr site(Layout const&) { written::takes_no_layout<Layout>::explain(); }
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
