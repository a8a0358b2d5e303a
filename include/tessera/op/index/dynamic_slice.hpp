// SPDX-License-Identifier: Apache-2.0
#pragma once
// Slices whose starts are integers known only at run time; a start too large is moved inside, a negative one counts
// from the end.
//   dynamic_slice<4, 1>(x, i, j)   dynamic_update_slice(x, part, i, j)
// Entries are kept, and the new extents must be divisible; x and part have one layout. Bytes: of a cut dimension that is
// sharded those of a gather or scatter (gather.hpp); others move nothing. Source: JAX 0.10.2 lax.dynamic_slice, lax.dynamic_update_slice.

#include <tessera/op/index/check_index.hpp>
#include <tessera/op/index/gather.hpp>
#include <tessera/op/index/update_slice.hpp>

namespace tessera {
namespace detail {

// An index moved into [0, last], negative ones from the end.
constexpr std::int64_t inside(std::int64_t i, std::int64_t n, std::int64_t last) {
  if (i < 0) i += n;
  return i < 0 ? 0 : i > last ? last : i;
}

// Index operands of a dynamic slice with windows `sizes`, for the dimensions that are cut. If all are literals, their
// values are in `starts`.
template <class B>
constexpr bool collect_starts(B& b, array_value const& x, term const* given, extents_list const& sizes, term* used,
                              indexing_params& to, extents_list& starts) {
  bool known = true;
  for (int d = 0; d < x.rank; ++d) {
    to.window.push_back(sizes[d]);
    to.runs_along.push_back(d);
    std::int64_t value = 0;
    if (sizes[d] != x.extent(d) || sizes[d] == dynamic) {
      used[to.indexed.size()] = given[d];
      to.indexed.push_back(d);
      known = known && is_literal(b, given[d], value) && x.extent(d) != dynamic && sizes[d] != dynamic;
      known = known && (!to.mode.fill || (value >= -x.extent(d) && value <= x.extent(d) - sizes[d]));
    }
    starts.push_back(known ? inside(value, x.extent(d), x.extent(d) - sizes[d]) : 0);
  }
  to.mode.wrap = true;
  return known;
}

}  // namespace detail

namespace ops {

// The window's extents. A window partly outside is filled as a gather's, or moved inside.
struct dynamic_slice_params {
  extents_list sizes{};
  bool fill = false;
  static constexpr void fields(auto& p, auto&& each) { each(p.sizes, p.fill); }
};
// (x, start of each dimension...)
struct dynamic_slice {
  static constexpr std::string_view name = "dynamic_slice";
  static constexpr op_class kind = op_class::gather;

  template <class B>
  static constexpr term build(B& b, term const* x, int count, attributes const& attrs) {
    array_value const operand = x[0].facts();
    auto const [asked, fill] = attrs.as<dynamic_slice_params>();
    if (asked.size() != operand.rank || count != operand.rank + 1)
      return b.template refuse<dynamic_slice>(refuse(reason::ranks_disagree, -1, {}, operand.rank, asked.size()),
                                              operand);
    array_value out = operand;
    extents_list sizes;
    for (int d = 0; d < operand.rank; ++d) {
      auto const n = operand.extent(d), size = asked[d] == to_end ? n : asked[d];
      sizes.push_back(size);
      out.extent(d) = size;
      if (size < 0 ? size != dynamic : n != dynamic && size > n)
        return b.template refuse<dynamic_slice>(refuse(reason::index_out_of_range, d, {}, size, n), operand);
    }
    if (verdict const v = rule::divides(out, b.mesh()); !v) return b.template refuse<dynamic_slice>(v, operand);
    term all[builder::max_operands]{x[0]};
    indexing_params to;
    to.mode.fill = fill;
    slice_params part;
    if (detail::collect_starts(b, operand, x + 1, sizes, all + 1, to, part.start)) {
      for (int d = 0; d < operand.rank; ++d) part.limit.push_back(part.start[d] + sizes[d]);
      return make<slice>(b, {x[0]}, part);
    }
    return to.indexed.empty() ? x[0] : make<gather>(b, all, to.indexed.size() + 1, {to, layout_of(operand)});
  }
};

// (x, part, start of each dimension...).
struct dynamic_update_slice {
  static constexpr std::string_view name = "dynamic_update_slice";
  static constexpr op_class kind = op_class::scatter;

  template <class B>
  static constexpr term build(B& b, term const* x, int count, attributes const&) {
    array_value const whole = x[0].facts();
    term part = x[1];
    if (part.facts().weak && part.facts().element != whole.element) {
      part = make<cast>(b, {part}, cast_params{whole.element});
      if (!part) return part;
    }
    array_value const given = part.facts();
    update_slice_params at;
    for (int d = 0; d < whole.rank; ++d) at.start.push_back(0);
    array_value const* const both[]{&whole, &given};
    attributes const from_zero = at;
    verdict const fits = rule::update_slice({b.mesh(), both, 2, from_zero});
    if (!fits) return b.template refuse<dynamic_update_slice>(fits, whole, given);
    if (count != whole.rank + 2)
      return b.template refuse<dynamic_update_slice>(refuse(reason::ranks_disagree, -1, {}, whole.rank, count - 2),
                                                     whole, given);
    term all[builder::max_operands]{x[0]};
    indexing_params to;
    extents_list sizes;
    for (int d = 0; d < whole.rank; ++d) sizes.push_back(given.extent(d));
    at.start = {};
    if (detail::collect_starts(b, whole, x + 2, sizes, all + 1, to, at.start))
      return make<update_slice>(b, {x[0], part}, at);
    int const indices = to.indexed.size();
    all[indices + 1] = part;
    return make<scatter>(b, all, indices + 2, {to, layout_of(whole)});
  }
};

}  // namespace ops

template <std::int64_t... Size>
struct window_sizes {
  template <Mesh M>
  static constexpr ops::dynamic_slice_params on() {
    return {extents_list{Size...}};
  }
};

namespace functions {

// One start for each dimension; a size of to_end: the whole dimension.
template <std::int64_t... Size, class X, class... Start>
  requires(Operand<Start>&&...)
constexpr auto dynamic_slice(X const& x, Start const&... start) {
  return invoke<ops::dynamic_slice, window_sizes<Size...>>(site{}, x, start...);
}
template <class X, class Part, class... Start>
  requires(Operand<Start>&&...)
constexpr auto dynamic_update_slice(X const& x, Part const& part, Start const&... start) {
  return invoke<ops::dynamic_update_slice, no_params>(site{}, x, part, start...);
}

}  // namespace functions

}  // namespace tessera
