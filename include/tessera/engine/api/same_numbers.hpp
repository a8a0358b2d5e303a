// SPDX-License-Identifier: Apache-2.0
#pragma once
// Compares the numbers that a program is given at its first call in all processes of its mesh: C++ numbers of every
// kind, and those that constants are made of.

#include <tessera/api/given_numbers.hpp>
#include <tessera/engine/exec/run/params_text.hpp>
#include <tessera/exec/run/executable.hpp>

#include <cmath>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace tessera::detail {

// One line for each operation of a constant, which has the numbers that it is made of.
TESSERA_COLD inline void add_lines_of(graph_view const& constant, std::string const& begin,
                                      std::vector<std::string>& lines) {
  for (int id = 0; id < constant.node_count; ++id) {
    node const& n = constant[id];
    lines.push_back((begin + std::string(n.op->name)) + params_writer().text(n.attrs, n.op->message));
  }
}
// A number that keeps its type: float16 0.5, complex64 1+2i.
TESSERA_COLD inline std::string text_of_typed(given_number const& n) {
  dtype const element = n.element;
  auto const as = [&]<class T>(std::type_identity<T>) {
    T value{};
    std::memcpy(&value, n.bytes.data(), sizeof value);
    return value;
  };
  auto const complex = [](auto z) {
    return all_digits(z.re) + (std::signbit(z.im) ? "" : "+") + all_digits(z.im) + "i";
  };
  auto const small = [&]<class T>(std::type_identity<T> t) { return all_digits(float(as(t))); };
  std::string const value = is_floating(element)             ? with_small_float(element, small)
                            : element == dtype::complex64    ? complex(as(std::type_identity<complex64>{}))
                            : element == dtype::complex128   ? complex(as(std::type_identity<complex128>{}))
                            : as(std::type_identity<bool>{}) ? "true"
                                                             : "false";
  return std::string(name_of(element)) + ' ' + value;
}

// Throws if processes pass different numbers to the program's first call.
TESSERA_COLD inline void require_same_numbers(plan_view const& plan, std::span<given_number const> numbers) {
  std::vector<std::string> lines;
  for (given_number const& n : numbers) {
    std::string line = "argument " + std::to_string(n.argument);
    if (n.of.constant) {
      add_lines_of(n.of.program(n.of.constant), line + " is a constant: ", lines);
      continue;
    }
    line += " is the number ";
    if (n.typed) {
      line += text_of_typed(n);
    } else if (n.value.is == number_value::form::real) {
      line += all_digits(n.value.real);
    } else {
      line += std::to_string(n.value.whole);
    }
    lines.push_back(std::move(line));
  }
  require_same_given(plan, std::move(lines));
}

}  // namespace tessera::detail
