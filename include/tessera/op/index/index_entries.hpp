// SPDX-License-Identifier: Apache-2.0
#pragma once
// What may stand between the brackets of x.at(...), as types and as plain data.

#include <tessera/op/index/slice.hpp>

namespace tessera {

template <std::int64_t Start, std::int64_t Stop, std::int64_t Step>
struct static_span {};
struct every_index {};
struct newaxis_t {};
struct ellipsis_t {};
struct index_span;  // span(1, 3), of arrays: api/at.hpp

namespace detail {
struct traced_span {};  // span(i, i + 4), which no index is
}  // namespace detail

namespace functions {

// Numpy's start:stop:step; to_end stands for a number that is left out.
template <std::int64_t Start = 0, std::int64_t Stop = to_end, std::int64_t Step = 1>
constexpr static_span<Start, Stop, Step> span() {
  static_assert(Step != 0, "tessera: a stride is not 0.");
  return {};
}
template <class Start, class Stop>
  requires(is_traced<Start> || is_traced<Stop>)
constexpr detail::traced_span span(Start const&, Stop const&) { return {}; }

}  // namespace functions

inline constexpr every_index every{};
inline constexpr newaxis_t newaxis{};
inline constexpr ellipsis_t ellipsis{};

namespace detail {

enum class index_entry : std::int64_t { newaxis, ellipsis, operand, span };

// The arguments of x.at: for each entry its kind, and for spans start, stop and step. Along `axes` each device checks
// its own indices.
struct index_params {
  extents_list what{}, start{}, stop{}, step{};
  index_mode mode{};
  axis_set axes{};

  constexpr void add(index_entry entry, std::int64_t from = 0, std::int64_t till = 0, std::int64_t by = 0) {
    what.push_back(static_cast<std::int64_t>(entry));
    start.push_back(from);
    stop.push_back(till);
    step.push_back(by);
  }
  static constexpr void fields(auto& p, auto&& each) {
    each(p.what, p.start, p.stop, p.step, p.axes, p.mode.fill, p.mode.wrap, p.mode.zeros, p.mode.refuse_known,
         p.mode.check);
  }
};
// A span whose bounds are values.
template <class I>
inline constexpr bool has_bounds_as_values = std::is_same_v<I, index_span> || std::is_same_v<I, traced_span>;

template <class I>
struct index_entry_of {
  static constexpr bool is_operand = true;
  static constexpr void add(index_params& p) { p.add(index_entry::operand); }
};
template <std::int64_t Start, std::int64_t Stop, std::int64_t Step>
struct index_entry_of<static_span<Start, Stop, Step>> {
  static constexpr bool is_operand = false;
  static constexpr void add(index_params& p) { p.add(index_entry::span, Start, Stop, Step); }
};
template <>
struct index_entry_of<every_index> : index_entry_of<static_span<0, to_end, 1>> {};
template <>
struct index_entry_of<newaxis_t> {
  static constexpr bool is_operand = false;
  static constexpr void add(index_params& p) { p.add(index_entry::newaxis); }
};
template <>
struct index_entry_of<ellipsis_t> {
  static constexpr bool is_operand = false;
  static constexpr void add(index_params& p) { p.add(index_entry::ellipsis); }
};

}  // namespace detail
}  // namespace tessera
