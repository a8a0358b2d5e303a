// SPDX-License-Identifier: Apache-2.0
#pragma once
// The local program under construction: one device's view of a global program, and the messages it sends.

#include <tessera/collective/all_gather.hpp>
#include <tessera/collective/all_reduce.hpp>
#include <tessera/collective/all_to_all.hpp>
#include <tessera/collective/permute.hpp>
#include <tessera/collective/reduce_scatter.hpp>
#include <tessera/collective/shard_slice.hpp>
#include <tessera/op/identity.hpp>
#include <tessera/op/permute.hpp>
#include <tessera/plan/message.hpp>

namespace tessera {

class lowering {
 public:
  growable_graph local{};
  growable<message> messages;
  site here{};
  op_info const* cause = nullptr;

  // share false: every value differs between all devices, so that nothing is stored or computed once for several.
  constexpr lowering(mesh_value const& mesh, bool share) : share_(share) {
    local.mesh = mesh;
    for (int a = 0; a < mesh.rank; ++a)
      if (mesh.size(a) != 1) several_ |= axis_set::of(a);
  }

  constexpr mesh_value const& mesh() const { return local.mesh; }
  // The axes that split anything: those with more than one device.
  constexpr axis_set several() const { return several_; }
  constexpr bool shares() const { return share_; }
  constexpr array_value const& facts(int id) const { return local.nodes[static_cast<std::size_t>(id)].facts; }
  // Row-major and whole in memory, or computed: not a view with strides of its own.
  constexpr bool plain(int id) const { return plain_[static_cast<std::size_t>(id)]; }

  // Facts: element and extents are the node's; the axes over which it differs are its operands' and `extra`.
  constexpr int emit(op_info const& op, int const* ids, int count, attributes const& attrs, array_value facts,
                     axis_set extra = {}, bool plain = true) {
    facts.spec = {};
    facts.unreduced = facts.reduced = {};
    facts.varying = extra & several_;
    for (int k = 0; k < count; ++k) facts.varying |= this->facts(ids[k]).varying;
    return push(op, ids, count, attrs, facts, plain);
  }
  constexpr int emit(op_info const& op, std::initializer_list<int> ids, attributes const& attrs, array_value const& facts,
                     axis_set extra = {}, bool plain = true) {
    return emit(op, ids.begin(), static_cast<int>(ids.size()), attrs, facts, extra, plain);
  }

  // x in memory of its own, row-major.
  constexpr int copied(int x) { return emit(info<ops::identity>, {x}, {}, facts(x)); }

  constexpr int sliced(int x, int dim, entry_value by) {
    by = without(by, mesh().axes() - several_);
    if (by.empty()) return x;
    return by_rule<collectives::shard_slice>(x, along(dim, by), false);
  }
  constexpr int all_reduced(int x, monoid how, axis_set axes) {
    axes = axes & several_;
    if (axes.empty()) return x;
    attributes attrs;
    attrs.axes = axes;
    return send(collectives::all_reduce_by(how), x, attrs, axes);
  }
  constexpr int gathered(int x, int dim, entry_value by) {
    by = without(by, mesh().axes() - several_);
    return by.empty() ? x : send(info<collectives::all_gather>, x, along(dim, by), by.axes());
  }
  constexpr int reduce_scattered(int x, int dim, entry_value by) {
    by = without(by, mesh().axes() - several_);
    return by.empty() ? x : send(info<collectives::reduce_scatter>, x, along(dim, by), by.axes());
  }
  constexpr int exchanged(int x, int split, int concat, entry_value by) {
    by = without(by, mesh().axes() - several_);
    if (by.empty()) return x;
    attributes attrs = along(0, by);
    attrs.first = {split, concat};
    return send(info<collectives::all_to_all>, x, attrs, by.axes());
  }
  constexpr int permuted(int x, extents_list const& from, extents_list const& to) {
    attributes attrs;
    attrs.first = from;
    attrs.second = to;
    axis_set axes;
    for (auto a : from) axes |= axis_set::of(static_cast<int>(a));
    for (auto a : to) axes |= axis_set::of(static_cast<int>(a));
    return send(info<collectives::permute>, x, attrs, axes);
  }

 private:
  static constexpr attributes along(int dim, entry_value by) {
    attributes attrs;
    attrs.integer = dim;
    attrs.out.rank = 1;
    attrs.out.entries[0] = by;
    return attrs;
  }
  constexpr int push(op_info const& op, int const* ids, int count, attributes const& attrs, array_value facts, bool plain) {
    if (!share_) facts.varying = several_;
    node added{&op, static_cast<int>(local.operands.size()), count, attrs, facts, here};
    for (int k = 0; k < count; ++k) local.operands.push_back(ids[k]);
    local.nodes.push_back(added);
    plain_.push_back(plain);
    return static_cast<int>(local.nodes.size()) - 1;
  }
  template <class Op>
  constexpr int by_rule(int x, attributes const& attrs, bool plain) {
    array_value const operand = facts(x);
    array_value const* const all[]{&operand};
    return push(info<Op>, &x, 1, attrs, Op::rule({local.mesh, all, 1, attrs}).result, plain);
  }
  constexpr int send(op_info const& op, int x, attributes const& attrs, axis_set axes) {
    array_value const operand = facts(x);
    array_value const* const all[]{&operand};
    message sent;
    sent.kind = op.message;
    sent.axes = axes;
    sent.bytes = bytes_sent(op.message, operand, mesh().devices(axes));
    sent.at = here;
    sent.cause = cause;
    messages.push_back(sent);
    return push(op, &x, 1, attrs, op.rule({local.mesh, all, 1, attrs}).result, true);
  }

  growable<bool> plain_;
  axis_set several_{};
  bool share_ = true;
};

}  // namespace tessera
