// SPDX-License-Identifier: Apache-2.0
#pragma once
// The communication of a program of unknown sizes: bytes of each message as polynomials in the sizes.

#include <tessera/plan/cost/cost.hpp>
#include <tessera/plan/sizes/size_polynomial.hpp>

namespace tessera {

template <Mesh M, std::size_t Messages>
class communication_of_sizes : public communication<M, Messages> {
  using numbers = communication<M, Messages>;

public:
  constexpr communication_of_sizes() = default;
  constexpr communication_of_sizes(std::array<message, Messages> const& messages,
                                   std::array<size_term, Messages> const& blocks, size_names const& names)
      : numbers(messages, dynamic), blocks_(blocks), names_(names) {}

  // The unknown sizes: mesh axes in their order, then the independent extents of arguments.
  constexpr size_names const& names() const { return names_; }
  // The same communication, with names for the extents, in their order.
  constexpr communication_of_sizes named(std::initializer_list<std::string_view> extents) const {
    communication_of_sizes c = *this;
    auto next = extents.begin();
    for (int i = 0; i < c.names_.size() && next != extents.end(); ++i)
      if (c.names_[i].argument >= 0) c.names_[i].name = *next++;
    return c;
  }

  // Bytes of one message per device: in one call, and in one iteration of the loops around it. Before rounding up to
  // whole bytes.
  constexpr size_polynomial bytes_of(std::size_t i) const { return bytes_of(i, this->messages()[i].times); }
  constexpr size_polynomial bytes_of_turn(std::size_t i) const { return bytes_of(i, 1); }
  constexpr size_polynomial bytes() const {
    return sum_where([](message const&) { return true; });
  }
  constexpr size_polynomial bytes(collective kind) const {
    return sum_where([kind](message const& m) { return m.kind == kind; });
  }
  constexpr size_polynomial bytes(program_pass pass) const {
    return sum_where([pass](message const& m) { return m.pass() == pass; });
  }
  template <Axis A>
  constexpr size_polynomial bytes_over() const {
    static_assert(M::template index<A> < M::rank, "tessera: the program's mesh has no such axis.");
    return sum_where([](message const& m) { return m.axes.contains(M::template index<A>); });
  }
  constexpr size_polynomial bytes_in(std::string_view scope) const {
    return sum_where([scope](message const& m) { return m.at.scope.contains(scope); });
  }

  // The numbers for these sizes, in the order of names(): equal to what the communicator counts.
  constexpr numbers at(size_list const& sizes) const {
    std::array<message, Messages> sent = this->messages();
    for (std::size_t i = 0; i < Messages; ++i) {
      message& m = sent[i];
      std::int64_t devices = 1;
      for (int a = 0, unknown = 0; a < M::rank; ++a) {
        auto const known = M::value.size(a);
        auto const size = known != dynamic ? known : sizes[unknown++];
        if (!m.axes.contains(a)) continue;
        devices *= size;
        if (size == 1) m.axes = m.axes - axis_set::of(a);
      }
      size_term const block = blocks_[i].at(sizes);
      if (block.denominator != 1) throw std::invalid_argument("tessera: these sizes do not divide by their mesh axes.");
      m.block = block.numerator;
      m.bytes = bytes_sent(m.kind, m.block, m.group > 0 ? m.group : devices);
      if (devices == 1) m.kind = collective::none;
      for (std::size_t k = 0; k < i && m.kin >= 0 && m.kind != collective::none; ++k) {
        message& to = sent[k];
        if (to.kin != m.kin || to.kind == collective::none ||
            !detail::fits_together(to.block, m.block, detail::joined_bytes))
          continue;
        to.block += m.block;
        to.bytes = bytes_sent(to.kind, to.block, devices);
        to.joined += 1;
        to.at.scope.meet(m.at.scope);
        m = {};
      }
    }
    return numbers(sent, dynamic);
  }

private:
  constexpr size_polynomial bytes_of(std::size_t i, std::int64_t times) const {
    message const& m = this->messages()[i];
    size_term once = blocks_[i], parts{1, 1, {}};
    once.numerator *= times;
    std::int64_t known = 1;
    for (int a = 0, unknown = 0; a < M::rank; ++a) {
      bool const is_known = M::value.size(a) != dynamic;
      bool const joined = m.group == 0 && m.axes.contains(a);
      if (joined && is_known) known *= M::value.size(a);
      if (joined && !is_known) parts.powers[unknown] = 1;
      unknown += !is_known;
    }
    if (m.group > 0) known = m.group;
    parts.numerator = known;
    size_term inverse{1, known, {}};
    for (std::size_t p = 0; p < max_sizes; ++p) inverse.powers[p] = static_cast<std::int8_t>(-parts.powers[p]);
    auto const scaled = [](size_term t, std::int64_t by) {
      t.numerator *= by;
      return t;
    };
    size_polynomial sum(names_);
    switch (m.kind) {
      case collective::all_reduce:
        sum.add(scaled(once, 2));
        sum.add(scaled(once * inverse, -2));
        break;
      case collective::ragged_all_to_all:
      case collective::all_gather:
        sum.add(once * parts);
        sum.add(scaled(once, -1));
        break;
      case collective::reduce_scatter:
      case collective::all_to_all:
        sum.add(once);
        sum.add(scaled(once * inverse, -1));
        break;
      case collective::permute: sum.add(once); break;
      default: break;
    }
    return sum;
  }
  template <class Test>
  constexpr size_polynomial sum_where(Test test) const {
    size_polynomial sum(names_);
    for (std::size_t i = 0; i < Messages; ++i)
      if (test(this->messages()[i])) sum += bytes_of(i);
    return sum;
  }

  std::array<size_term, Messages> blocks_{};
  size_names names_{};
};

}  // namespace tessera
