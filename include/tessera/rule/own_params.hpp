// SPDX-License-Identifier: Apache-2.0
#pragma once
// Parameters of an op's own: a plain struct that lists its fields.
//   struct sort_params {
//     std::int64_t dim = -1;
//     bool descending = false;
//     static constexpr void fields(auto& p, auto&& each) { each(p.dim, p.descending); }
//   };
// Fields: up to 24 integers, bools, enums, doubles, dimensions and axis_sets, up to four extents_lists, and one table.

#include <tessera/rule/params.hpp>

#include <stdexcept>
#include <type_traits>

namespace tessera {

// A dimension of the operands as a field. vmap, which adds a dimension in front, increments it. Negative: from the end.
struct dimension {
  std::int64_t at = 0;
  constexpr dimension() = default;
  constexpr dimension(std::int64_t d) : at(d) {}
  constexpr operator std::int64_t() const { return at; }
};

namespace detail {

// Its address identifies the record type.
template <class P>
inline constexpr char params_identity = 0;

struct packed_params {
  static constexpr int most_lists = 4, most_numbers = 24;
  char const* record = nullptr;
  extents_list lists[most_lists]{};
  std::int64_t numbers[most_numbers]{};
  std::uint32_t dimensions = 0;  // bits of the numbers that are dimensions
  std::int32_t const* table = nullptr;

  template <class P>
  static constexpr packed_params of(P const& params) {
    packed_params kept;
    kept.record = &params_identity<P>;
    int list = 0, number = 0;
    P::fields(params, [&](auto const&... field) { (kept.put(field, list, number), ...); });
    return kept;
  }
  template <class P>
  TESSERA_FUNCTION constexpr P as() const;

  // The same for operands with one more dimension in front.
  constexpr packed_params counted_on() const {
    packed_params moved = *this;
    for (int k = 0; k < most_numbers; ++k)
      if ((dimensions >> k & 1) != 0 && numbers[k] >= 0) ++moved.numbers[k];
    return moved;
  }

  constexpr bool operator==(packed_params const&) const = default;

private:
  template <class F>
  constexpr void put(F const& field, int& list, int& number) {
    if constexpr (std::is_same_v<F, extents_list>) {
      if (list == most_lists) list_is_full(most_lists);
      lists[list++] = field;
    } else if constexpr (std::is_pointer_v<F>) {
      table = field;
    } else {
      if (number == most_numbers) list_is_full(most_numbers);
      if constexpr (std::is_same_v<F, dimension>) dimensions |= 1u << number;
      if constexpr (std::is_same_v<F, double>)
        numbers[number++] = std::bit_cast<std::int64_t>(field);
      else if constexpr (std::is_same_v<F, axis_set>)
        numbers[number++] = field.bits;
      else
        numbers[number++] = static_cast<std::int64_t>(field);
    }
  }
  template <class F>
  TESSERA_FUNCTION constexpr void take(F& field, int& list, int& number) const {
    if constexpr (std::is_same_v<F, extents_list>)
      field = lists[list++];
    else if constexpr (std::is_pointer_v<F>)
      field = table;
    else if constexpr (std::is_same_v<F, double>)
      field = std::bit_cast<double>(numbers[number++]);
    else if constexpr (std::is_same_v<F, axis_set>)
      field.bits = static_cast<decltype(field.bits)>(numbers[number++]);
    else
      field = static_cast<F>(numbers[number++]);
  }
};

// Not constexpr, so that reading the parameters of another operation does not compile in constant evaluation.
[[noreturn]] TESSERA_COLD TESSERA_FUNCTION inline void other_parameters() {
#ifdef TESSERA_DEVICE_CODE
  TESSERA_TRAP();
#else
  throw std::logic_error("tessera: the parameters of an operation are read as those of another one.");
#endif
}

template <class P>
TESSERA_FUNCTION constexpr P packed_params::as() const {
#ifndef TESSERA_DEVICE_CODE  // device code has no address of a host constant
  if (record != &params_identity<P>) other_parameters();
#endif
  P params;
  int list = 0, number = 0;
  P::fields(params, [&](auto&... field) { (take(field, list, number), ...); });
  return params;
}

}  // namespace detail

template <class P>
concept OwnParams = __is_trivially_copyable(P) && requires(P& params, void (*each)(...)) {
  P::fields(params, each);
};

}  // namespace tessera
