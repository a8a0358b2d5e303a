// SPDX-License-Identifier: Apache-2.0
#pragma once
// C++ numbers in a program. A number among the arguments becomes one input per element type in which it is read. A
// number in the program text is refused if its type cannot hold it.

#include <tessera/error/sentence.hpp>
#include <tessera/graph/builder.hpp>
#include <tessera/graph/literal.hpp>
#include <tessera/graph/op_names.hpp>

namespace tessera {
constexpr number_role number_role_of(node const& n) {
  return n.op->kind == op_class::argument ? n.attrs.as<argument_params>().role : number_role::none;
}
// The refusal of a number that `element` cannot hold.
constexpr verdict misfit(number_value const& value, dtype element) {
  verdict v = refuse(reason::number_out_of_range, -1, {}, value.whole, static_cast<std::int64_t>(value.is));
  if (value.is == number_value::form::real) v.size = integer_in(value, dtype::int64);
  if (value.real != value.real) v.other = error::not_a_number;
  v.result.element = element;
  return v;
}

namespace detail {

// A C++ number, or a constant of them, among the arguments, in its type if it meets no other type. A template, because
// operations are defined above this stage.
template <class Cast = ops::cast>
constexpr term enter_number(builder& b, array_value handled, dtype storage) {
  static_assert(op_register<Cast>::done);
  array_value facts = handled;
  facts.element = storage;
  facts.weak = false;
  term const given = b.argument(info<ops::argument>, facts);
  b.recorded.nodes.back().attrs = argument_params{number_role::given};
  return b.emit(info<Cast>, {given}, cast_params{handled.element, true, cast_role::number});
}

template <class Cast, class Identity>
class numbers_settled {
public:
  constexpr explicit numbers_settled(builder& b) : b_(b), g_(b.recorded) {
    for (std::size_t i = 0; i < g_.inputs.size(); ++i)
      if (number_role_of(at(g_.inputs[i])) == number_role::given) given_.push_back(static_cast<int>(i));
    if (!given_.empty()) settle();
    refuse_misfits();
  }

private:
  constexpr node& at(int id) { return g_.nodes[id]; }
  constexpr int operand(node const& n, int k) const { return g_.operands[n.first_operand + k]; }

  // A cast of a number becomes an input of its own, converted by the caller. In a loop it stays a cast.
  constexpr void settle() {
    growable<bool> inside;
    inside.resize(g_.nodes.size(), false);
    for (graph_region const& r : g_.regions)
      for (int id = r.first_node; id < r.first_node + r.node_count; ++id) inside[id] = true;
    growable<argument_params> looped;
    int const count = b_.size();
    growable<bool> used;
    used.resize(g_.nodes.size(), false);
    for (int id = 0; id < count; ++id)
      for (int k = 0; k < at(id).operand_count; ++k) used[operand(at(id), k)] = true;
    for (growable<int> const* values : {&g_.outputs, &g_.region_values})
      for (int id : *values)
        if (id >= 0) used[id] = true;
    for (int id = 0; id < count; ++id) {
      int const position = is_op<Cast>(at(id).op) ? position_of(operand(at(id), 0)) : -1;
      if (position < 0) continue;
      if (!used[id]) {  // not read as such: becomes an unused node
        at(id).op = &info<ops::literal>;
        at(id).operand_count = 0;
        at(id).attrs = {};
        continue;
      }
      bool const asked = at(id).attrs.template as<cast_params>().role == cast_role::asked;
      argument_params const key{asked ? number_role::asked : number_role::promoted, at(id).facts.element, position};
      if (inside[id])
        looped.push_back(key);
      else if (int const known = find(key); known >= 0)
        stand_for(id, known);
      else
        become_input(id, key);
    }
    for (argument_params const& key : looped)
      if (find(key) < 0 && is_integer(key.element)) only_checked(key, at(g_.inputs[key.position]).facts);
    for (int id : made_) g_.inputs.push_back(id);
    for (int id = 0; id < count; ++id)
      for (int k = 0; k < at(id).operand_count; ++k)
        if (int const x = operand(at(id), k); number_role_of(at(x)) == number_role::given)
          at(x).attrs = argument_params{number_role::read};
  }
  // The position of argument `id`, if it is a number; else -1.
  constexpr int position_of(int id) {
    for (int i : given_)
      if (g_.inputs[i] == id) return i;
    return -1;
  }
  constexpr int find(argument_params const& key) {
    for (int id : made_)
      if (at(id).attrs.template as<argument_params>() == key) return id;
    return -1;
  }
  constexpr void become_input(int id, argument_params const& key) {
    node& n = at(id);
    n.op = &info<ops::argument>;
    n.operand_count = 0;
    n.attrs = key;
    keep(id);
  }
  constexpr void stand_for(int id, int known) {
    node& n = at(id);
    n.op = &info<Identity>;
    n.attrs = {};
    g_.operands[n.first_operand] = known;
  }
  constexpr void only_checked(argument_params const& key, array_value facts) {
    facts.element = key.element;
    keep(b_.push(info<ops::argument>, nullptr, 0, key, facts));
  }
  // Keeps an order that does not depend on the program's order of operations, which differs between compilers.
  constexpr void keep(int id) {
    made_.push_back(id);
    for (std::size_t i = made_.size() - 1; i > 0 && before(role(made_[i]), role(made_[i - 1])); --i) {
      int const moved = made_[i];
      made_[i] = made_[i - 1];
      made_[i - 1] = moved;
    }
  }
  constexpr argument_params const& role(int id) { return at(id).attrs.template as<argument_params>(); }
  static constexpr bool before(argument_params const& l, argument_params const& r) {
    if (l.position != r.position) return l.position < r.position;
    return l.element != r.element ? l.element < r.element : l.role < r.role;
  }

  // Refuses misfits that an operation reads or that are results.
  constexpr void refuse_misfits() {
    node const* const nodes = g_.nodes.data();
    growable<bool> misfits;
    bool any = false;
    misfits.resize(g_.nodes.size(), false);
    for (int id = 0, count = b_.size(); id < count; ++id)
      if (nodes[id].op->kind == op_class::literal && !literal_fits(nodes[id].attrs.as<literal_params>()))
        any = misfits[id] = true;
    if (!any) return;
    auto const look = [&](int id, op_info const* by, site where) {
      if (!misfits[id]) return;
      node const& n = at(id);
      b_.refuse(refusal{misfit(number_value_in(n.attrs.as<literal_params>()), n.attrs.as<literal_params>().element),
                        by,
                        where,
                        n.facts,
                        {},
                        0});
    };
    for (int id = 0; id < b_.size(); ++id)
      for (int k = 0; k < at(id).operand_count; ++k) look(operand(at(id), k), at(id).op, at(id).at);
    for (int id : g_.outputs)
      if (id >= 0) look(id, at(id).op, at(id).at);
  }

  builder& b_;
  growable_graph& g_;
  growable<int> given_;  // positions among the inputs
  growable<int> made_;
};

template <class Cast = ops::cast, class Identity = ops::identity>
constexpr void settle_numbers(builder& b) {
  numbers_settled<Cast, Identity> const settled(b);
}

}  // namespace detail
}  // namespace tessera
