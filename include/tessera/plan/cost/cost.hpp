// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a program communicates, as a constant: collectives by kind and axis, bytes per device, with the user's lines.
//   static_assert(cost.count(collective::all_reduce) == 1 && cost.bytes_over<dp>() == 0);
// Bytes follow the ring model of rule/ring.hpp. A collective over several axes counts for each of them.

#include <tessera/mesh/mesh.hpp>
#include <tessera/plan/base/message.hpp>

#include <array>
#include <string_view>
#include <type_traits>

namespace tessera {

template <Mesh M, std::size_t Messages>
class communication {
public:
  using mesh = M;
  constexpr communication() = default;
  constexpr communication(std::array<message, Messages> const& messages, std::int64_t peak_bytes)
      : messages_(messages), peak_bytes_(peak_bytes) {}

  constexpr std::array<message, Messages> const& messages() const { return messages_; }
  // Collectives sent in one call; `dynamic` if a while_loop or the choice of a branch decides.
  constexpr std::int64_t count() const {
    return sum([](message const& m) { return m.kind != collective::none; }, one);
  }
  constexpr std::int64_t count(collective kind) const { return counted(kind, M::value.axes()); }
  constexpr std::int64_t count(program_pass pass) const {
    return sum([pass](message const& m) { return m.pass() == pass; }, one);
  }
  template <Axis A>
  constexpr std::int64_t count() const {
    return sum([](message const& m) { return m.axes.contains(position<A>()); }, one);
  }
  template <Axis A>
  constexpr std::int64_t count(collective kind) const {
    return counted(kind, axis_set::of(position<A>()));
  }
  // Bytes sent per device in one call.
  constexpr std::int64_t bytes() const {
    return sum([](message const&) { return true; }, sent);
  }
  constexpr std::int64_t bytes(collective kind) const {
    return sum([kind](message const& m) { return m.kind == kind; }, sent);
  }
  constexpr std::int64_t bytes(program_pass pass) const {
    return sum([pass](message const& m) { return m.pass() == pass; }, sent);
  }
  template <Axis A>
  constexpr std::int64_t bytes_over() const {
    return sum([](message const& m) { return m.axes.contains(position<A>()); }, sent);
  }
  // Of the operations in named_scope<"attention">, also as "block/attention".
  constexpr std::int64_t count_in(std::string_view scope) const {
    return sum([scope](message const& m) { return m.at.scope.contains(scope); }, one);
  }
  constexpr std::int64_t bytes_in(std::string_view scope) const {
    return sum([scope](message const& m) { return m.at.scope.contains(scope); }, sent);
  }
  // Whether the numbers are exact, not a bound: a ragged_all_to_all sends what its sizes say at run time.
  constexpr bool exact() const {
    for (message const& m : messages_)
      if (m.is_bound() || m.times == dynamic || m.bytes == dynamic) return false;
    return true;
  }
  // Peak memory of one device: arguments, results so far and temporaries alive at the worst step.
  constexpr std::int64_t peak_bytes() const { return peak_bytes_; }

private:
  template <Axis A>
  static constexpr int position() {
    static_assert(M::template index<A> < M::rank, "tessera: the program's mesh has no such axis.");
    return M::template index<A>;
  }
  static constexpr std::int64_t one(message const&) { return 1; }
  static constexpr std::int64_t sent(message const& m) { return m.bytes; }
  template <class Test>
  constexpr std::int64_t sum(Test test, std::int64_t (*value)(message const&)) const {
    std::int64_t total = 0;
    for (message const& m : messages_) {
      if (!test(m)) continue;
      if (m.times == dynamic || value(m) == dynamic) return dynamic;
      total += m.times * value(m);
    }
    return total;
  }
  constexpr std::int64_t counted(collective kind, axis_set over) const {
    return sum([kind, over](message const& m) { return m.kind == kind && !(m.axes & over).empty(); }, one);
  }

  std::array<message, Messages> messages_{};
  std::int64_t peak_bytes_ = 0;
};

// Of a refused program: its error has been reported, so its numbers, and what is computed of them, compare as true with
// anything; where a number must be, it is 1.
struct refused_number {
  constexpr operator std::int64_t() const { return 1; }
};
namespace detail {
template <class X, class Y>
concept RefusedNumbers = (std::is_same_v<X, refused_number> &&
                          (std::is_same_v<Y, refused_number> || std::is_arithmetic_v<Y>)) ||
                         (std::is_same_v<Y, refused_number> && std::is_arithmetic_v<X>);
}  // namespace detail
#define TESSERA_REFUSED_NUMBER(op, result) \
  template <class X, class Y>              \
    requires detail::RefusedNumbers<X, Y>  \
  constexpr auto operator op(X const&, Y const&) { return result; }
TESSERA_REFUSED_NUMBER(==, true)
TESSERA_REFUSED_NUMBER(!=, true)
TESSERA_REFUSED_NUMBER(<, true)
TESSERA_REFUSED_NUMBER(>, true)
TESSERA_REFUSED_NUMBER(<=, true)
TESSERA_REFUSED_NUMBER(>=, true)
TESSERA_REFUSED_NUMBER(+, refused_number{})
TESSERA_REFUSED_NUMBER(-, refused_number{})
TESSERA_REFUSED_NUMBER(*, refused_number{})
TESSERA_REFUSED_NUMBER(/, refused_number{})
TESSERA_REFUSED_NUMBER(%, refused_number{})
#undef TESSERA_REFUSED_NUMBER
struct refused_communication : communication<no_mesh, 0> {
  constexpr refused_number count() const { return {}; }
  constexpr refused_number count(collective) const { return {}; }
  constexpr refused_number count(program_pass) const { return {}; }
  template <Axis A>
  constexpr refused_number count() const {
    return {};
  }
  template <Axis A>
  constexpr refused_number count(collective) const {
    return {};
  }
  constexpr refused_number bytes() const { return {}; }
  constexpr refused_number bytes(collective) const { return {}; }
  constexpr refused_number bytes(program_pass) const { return {}; }
  template <Axis A>
  constexpr refused_number bytes_over() const {
    return {};
  }
  constexpr refused_number count_in(std::string_view) const { return {}; }
  constexpr refused_number bytes_in(std::string_view) const { return {}; }
  constexpr refused_number peak_bytes() const { return {}; }
};

constexpr std::string_view name_of(collective kind) {
  constexpr std::string_view names[]{"none",       "all_reduce", "all_gather",       "reduce_scatter",
                                     "all_to_all", "permute",    "ragged_all_to_all"};
  return names[static_cast<int>(kind)];
}

}  // namespace tessera
