// SPDX-License-Identifier: Apache-2.0
#pragma once
// C++ numbers that are given to a program when it runs: stored as the elements that the program reads them as.

#include <tessera/array/array.hpp>
#include <tessera/error/explain_text.hpp>
#include <tessera/trace/numbers.hpp>

#include <cstring>
#include <span>
#include <vector>

namespace tessera::detail {

// A number or a constant of numbers among the arguments of a call, and its position.
struct given_number {
  int argument = 0;
  number_value value{};
  void const* constant = nullptr;
  stored_array (*store)(void const* constant, dtype element, bool asked) = nullptr;
};

// Throws where an integer type would have to hold what it cannot.
inline stored_array store_number(number_value const& n, dtype element, bool asked = false) {
  array_value facts;
  facts.element = element;
  if (!asked && !fits(n, element)) throw std::out_of_range(explain(misfit(n, element), "number", nullptr, nullptr, {}));
  auto const size = static_cast<std::size_t>(bytes_of(element));
  stored_array stored{facts, buffer(size)};
  std::byte bytes[16]{};
  auto const put = [&](auto const& value) { std::memcpy(bytes, &value, sizeof(value)); };
  switch (element) {
    case dtype::float16: put(float16(static_cast<float>(real_of(n)))); break;
    case dtype::bfloat16: put(bfloat16(static_cast<float>(real_of(n)))); break;
    case dtype::float32:
    case dtype::complex64: put(static_cast<float>(real_of(n))); break;
    case dtype::float64:
    case dtype::complex128: put(real_of(n)); break;
    default: put(integer_in(n, element));  // its low bytes come first
  }
  copy_bytes(stored.memory.data(), bytes, size, true);
  return stored;
}

inline stored_array store_given(given_number const& n, dtype element, bool asked) {
  return n.constant ? n.store(n.constant, element, asked) : store_number(n.value, element, asked);
}

// Fills in what a program's inputs are that stand for numbers. Those after the arguments are the same numbers as other
// types.
TESSERA_COLD inline void store_numbers(graph_view const& program, std::span<given_number const> numbers,
                                       std::vector<stored_array>& arguments) {
  auto const given = [&](std::int64_t position) -> given_number const& {
    for (given_number const& n : numbers)
      if (n.argument == position) return n;
    throw std::logic_error("tessera: a program reads a number that it was not given.");
  };
  for (int i = 0; i < program.input_count; ++i) {
    node const& n = program[program.inputs[i]];
    number_role const role = number_role_of(n);
    bool const asked = role == number_role::asked;
    if (role == number_role::read)
      arguments[static_cast<std::size_t>(i)] = store_given(given(i), n.facts.element, false);
    if (role == number_role::promoted || asked)
      arguments.push_back(store_given(given(n.attrs.first[0]), n.facts.element, asked));
  }
}

}  // namespace tessera::detail
