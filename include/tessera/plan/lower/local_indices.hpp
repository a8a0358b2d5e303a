// SPDX-License-Identifier: Apache-2.0
#pragma once
// Arithmetic on the indices of a local program: which elements of a device's block they name.

#include <tessera/op/create/iota.hpp>
#include <tessera/op/elementwise/arithmetic.hpp>
#include <tessera/op/elementwise/compare.hpp>
#include <tessera/op/elementwise/where.hpp>
#include <tessera/plan/lower/padding.hpp>

namespace tessera::detail {

// Indices outside are moved inside or marked, as index_mode says.
class local_indices {
  // First: clang 19 evaluates no member template that is defined after its use.
  constexpr int number(int like, std::int64_t value) {
    return scalar_literal(l_, literal_of(number_value_of(value), l_.facts(like).element));
  }
  template <class Op>
  constexpr int make(int x, int y) {
    static_assert(op_register<Op>::done);
    array_value facts = l_.facts(l_.facts(x).rank < l_.facts(y).rank ? y : x);
    if constexpr (requires { Op::gives_bool; }) facts.element = dtype::boolean;
    int const both[]{x, y};
    return l_.emit(planning_info<Op>, both, 2, {}, facts);
  }

public:
  constexpr local_indices(lowering& l, index_mode mode) : l_(l), mode_(mode) {}

  int outside = -1;  // whether one of the indices is outside, if these are filled

  // Where a window begins in a dimension of `extent`; before its first element if it is outside, and not moved inside.
  constexpr int place(int x, std::int64_t extent, std::int64_t window) {
    int const none = number(x, 0), last = number(x, extent - window);
    if (mode_.wrap) {
      int const below = make<ops::less>(x, none), from_end = make<ops::add>(x, number(x, extent));
      x = where(below, from_end, x);
    }
    int const below = make<ops::less>(x, none), above = make<ops::less>(last, x);
    if (!mode_.fill) {
      x = where(below, none, x);
      return where(above, last, x);
    }
    int const out = where(below, below, above);
    outside = outside < 0 ? out : where(outside, outside, out);
    return where(out, number(x, -window), x);
  }
  // Places x, x + step, ...; x itself if there is one.
  constexpr int from(int x, std::int64_t step, std::int64_t count) {
    static_assert(op_register<ops::iota>::done);
    if (count == 1) return x;
    array_value facts;
    facts.element = l_.facts(x).element;
    facts.add_dim(count);
    iota_params const counted{facts.element, 0, facts.shape()};
    int const steps = l_.emit(planning_info<ops::iota>, nullptr, 0, counted, facts);
    return make<ops::add>(make<ops::multiply>(steps, number(x, step)), x);
  }
  // A place as a number, in a dtype that holds `last`, too.
  constexpr int literal(std::int64_t value, std::int64_t last) {
    dtype const element = last <= highest_integer(dtype::int32) ? dtype::int32 : dtype::int64;
    return scalar_literal(l_, literal_of(number_value_of(value), element));
  }
  // Place x in the device's block of `extent`; below 0 or too large on devices that do not hold it.
  constexpr int in_block(int x, entry_value by, std::int64_t extent) {
    int const here = l_.in_dtype(l_.position(by), l_.facts(x).element);
    return make<ops::add>(x, make<ops::multiply>(here, number(x, -extent)));
  }
  // Whether this is the first of the devices along `by`, and an index is outside.
  constexpr int outside_on_first(entry_value by) {
    int const here = l_.position(by);
    int const first = make<ops::equal>(here, number(here, 0));
    return where(outside, first, outside);
  }
  // x where `mask` is true, else y; as large as the largest of them.
  constexpr int where(int mask, int x, int y) {
    array_value facts = l_.facts(l_.facts(x).rank < l_.facts(y).rank ? y : x);
    if (l_.facts(mask).rank > facts.rank) {
      dtype const element = facts.element;
      facts = l_.facts(mask);
      facts.element = element;
    }
    return where(mask, x, y, facts);
  }
  constexpr int where(int mask, int x, int y, array_value const& facts) {
    static_assert(op_register<ops::where>::done);
    int const chosen[]{mask, x, y};
    return l_.emit(planning_info<ops::where>, chosen, 3, {}, facts);
  }

private:
  lowering& l_;
  index_mode mode_;
};

}  // namespace tessera::detail
