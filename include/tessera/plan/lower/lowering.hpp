// SPDX-License-Identifier: Apache-2.0
#pragma once
// The local program under construction: one device's view of a global program, and the messages that it sends. Equal
// nodes are one node. Values with one scalar in all elements are known. Views are strides over memory; where strides
// are not enough, or there is no memory, a copy is inserted.

#include <tessera/collective/all_gather.hpp>
#include <tessera/collective/all_reduce.hpp>
#include <tessera/collective/all_to_all.hpp>
#include <tessera/collective/axis_index.hpp>
#include <tessera/collective/first_block.hpp>
#include <tessera/collective/grouped.hpp>
#include <tessera/collective/permute.hpp>
#include <tessera/collective/ppermute.hpp>
#include <tessera/collective/reduce_scatter.hpp>
#include <tessera/collective/shard_slice.hpp>
#include <tessera/op/base/identity.hpp>
#include <tessera/op/shape/broadcast_to.hpp>
#include <tessera/plan/base/strides.hpp>
#include <tessera/plan/path/layout_change.hpp>
#include <tessera/plan/path/reshard_path.hpp>

#include <limits>

namespace tessera {

class lowering {
public:
  growable_graph local{};
  growable<message> messages;
  growable<int> carriers;      // by message: the node that sends it
  growable<lowering> regions;  // of loops; `captures`: how many outside values each reads
  growable<int> captures;
  int first_strided = std::numeric_limits<int>::max();  // outputs from here on may be slices of a stack
  site here{};
  op_info const* cause = nullptr;
  layout_change change{};        // the reason of the next messages
  path_source* paths = nullptr;  // the paths kept for programs on this mesh, or null
  // The node that made the partial sums that are added up next, if it is not their reader.
  struct {
    int node = -1;
    site at{};
    op_info const* cause = nullptr;
  } summed{};
  // The dtype in which they are sent and added up, if `here` does not say; boolean: their own.
  dtype sums = dtype::boolean;

  // share false: every value varies over all devices, so nothing is stored or computed once for several. log: records
  // the reason of each message, or null.
  constexpr lowering(mesh_value const& mesh, bool share, change_log* log = nullptr)
      : log_(log), part_(log ? log->open() : 0), share_(share) {
    local.mesh = mesh;
    for (int a = 0; a < mesh.rank; ++a)
      if (mesh.size(a) != 1) several_ |= axis_set::of(a);
  }
  constexpr void reserve(int nodes) {
    std::size_t const n = nodes;
    local.nodes.reserve(n);
    local.operands.reserve(2 * n);
    known_.reserve(n);
  }

  constexpr mesh_value const& mesh() const { return local.mesh; }
  // several: the axes of more than one device, which can split values; single: the others.
  constexpr axis_set several() const { return several_; }
  constexpr axis_set single() const { return mesh().axes() - several_; }
  constexpr bool shares() const { return share_; }
  constexpr change_log* log() const { return log_; }
  // The number of this program or region in the log.
  constexpr int part() const { return part_; }
  constexpr node const& at(int id) const { return local.nodes[id]; }
  constexpr array_value const& facts(int id) const { return local.nodes[id].facts; }
  // The scalar that every element of x equals, or -1.
  constexpr int scalar_of(int x) const { return known_[x].scalar; }
  // Whether x is a view.
  constexpr bool is_view(int x) const { return known_[x].view >= 0; }
  // The strides of x.
  constexpr strides where(int x) const { return is_view(x) ? views_[known(x).view] : own_strides(facts(x), mesh()); }

  // Adds a node with memory or a register of its own. `facts` gives element and extents. It varies over the axes of its
  // operands and over `extra`.
  constexpr int emit(op_info const& op, int const* ids, int count, attributes const& attrs, array_value facts,
                     axis_set extra = {}) {
    facts.spec = {};
    facts.unreduced = facts.reduced = {};
    facts.varying = extra & several_;
    for (int k = 0; k < count; ++k) facts.varying.bits |= this->facts(ids[k]).varying.bits;
    return push(op, ids, count, attrs, facts);
  }
  // Adds a node that varies over `varying`, whatever its operands do: a result of regions.
  constexpr int emit_declared(op_info const& op, int const* ids, int count, attributes const& attrs, array_value facts,
                              axis_set varying) {
    facts.spec = {};
    facts.unreduced = facts.reduced = {};
    facts.varying = varying & several_;
    unique_ = true;
    int const id = push(op, ids, count, attrs, facts);
    unique_ = false;
    return id;
  }
  // Adds a node that reads its operands from memory.
  constexpr int emit_step(op_info const& op, int* ids, int count, attributes const& attrs, array_value const& facts) {
    for (int k = 0; k < count; ++k) ids[k] = in_memory(ids[k]);
    return emit(op, ids, count, attrs, facts);
  }

  // Adds a node that is strides over x. It varies over the axes of x and over `extra`, without `fewer`.
  constexpr int view(op_info const& op, int x, attributes const& attrs, array_value facts, axis_set extra = {},
                     axis_set fewer = {}) {
    facts.varying = ((extra & several_) | this->facts(x).varying) - fewer;
    if (int const scalar = scalar_of(x); scalar >= 0 && fewer.empty()) return filled(scalar, facts);
    facts.spec = {};
    facts.unreduced = facts.reduced = {};
    if (!share_) facts.varying = several_;
    x = in_memory(x);
    node made{&op, 0, 1, attrs, facts, here};
    strides seen;
    if (!view_strides(made, this->facts(x), mesh(), where(x), seen)) {
      x = copied(x);
      view_strides(made, this->facts(x), mesh(), where(x), seen);
    }
    int const id = push(op, &x, 1, attrs, facts);
    if (fresh_) {
      known_[id].view = static_cast<int>(views_.size());
      views_.push_back(seen);
    }
    return id;
  }
  // A value with these facts and one scalar in all elements.
  constexpr int filled(int scalar, array_value const& facts) {
    if (facts.rank == 0 && this->facts(scalar).varying.contains(facts.varying)) return scalar;
    int const id =
        emit(planning_info<ops::broadcast_to>, &scalar, 1, broadcast_params{{}, facts.shape()}, facts, facts.varying);
    if (fresh_) {
      known_[id].scalar = scalar;
      known_[id].view = static_cast<int>(views_.size());
      views_.push_back({});
    }
    return id;
  }
  // x in memory of its own, row-major, with distinct blocks over `varying`, too.
  constexpr int copied(int x, axis_set varying = {}) {
    return emit(planning_info<ops::identity>, &x, 1, {}, facts(x), varying);
  }
  // A copy for an output: never shared with another one.
  constexpr int output_copy(int x, axis_set varying) {
    unique_ = true;
    int const id = copied(x, varying);
    unique_ = false;
    return id;
  }
  // x, or a copy if it has no memory: literals, indices, and views of these.
  constexpr int in_memory(int x) {
    int base = x;
    while (is_view(base)) base = local.operands[at(base).first_operand];
    auto const kind = at(base).op->kind;
    bool const computed = kind == op_class::literal || kind == op_class::iota || kind == op_class::axis_index;
    return computed ? copied(x) : x;
  }

  constexpr int sliced(int x, int dim, entry_value by) {
    if (by.empty()) return x;
    attributes const attrs = along(dim, by);
    return view(planning_info<collectives::shard_slice>, x, attrs,
                judged(planning_info<collectives::shard_slice>, x, attrs), by.axes());
  }
  // The block of the first device along the axes, on all of them. Between processes it is sent, and not counted: the
  // program promised that the devices hold the same block.
  constexpr int first_along(int x, axis_set axes) {
    axes = axes & facts(x).varying;
    if (axes.empty()) return x;
    if (!(axes & mesh().remote()).empty()) {
      x = in_memory(x);
      collective_params const over{axes};
      return push(planning_info<collectives::from_first>, &x, 1, over,
                  judged(planning_info<collectives::from_first>, x, over));
    }
    return view(planning_info<collectives::first_block>, x, collective_params{axes}, facts(x), {}, axes);
  }
  constexpr int all_reduced(int x, monoid how, axis_set axes) {
    axes = axes & several_;
    if (axes.empty()) return x;
    dtype const own = facts(x).element;
    if (how == monoid::sum) x = in_dtype(x, dtype_of_sum(own));
    return in_dtype(send(collectives::all_reduce_by(how), x, collective_params{axes}, axes), own);
  }
  constexpr int gathered(int x, int dim, entry_value by) {
    return send(planning_info<collectives::all_gather>, x, along(dim, by), by.axes());
  }
  constexpr int reduce_scattered(int x, int dim, entry_value by) {
    dtype const own = facts(x).element;
    x = in_dtype(x, dtype_of_sum(own));
    return in_dtype(send(planning_info<collectives::reduce_scatter>, x, along(dim, by), by.axes()), own);
  }
  constexpr int exchanged(int x, int split, int concat, entry_value by) {
    collective_params over = along(split, by);
    over.concat_dim = concat;
    return send(planning_info<collectives::all_to_all>, x, over, by.axes());
  }
  constexpr int permuted(int x, exchange_params const& swap) {
    axis_set axes;
    for (auto a : swap.from) axes |= axis_set::of(static_cast<int>(a));
    for (auto a : swap.to) axes |= axis_set::of(static_cast<int>(a));
    return send(planning_info<collectives::permute>, x, swap, axes);
  }
  // Sends x between devices by a table.
  constexpr int sent_by(int x, collective_params const& by) {
    return send(planning_info<collectives::ppermute>, x, by, by.order.axes());
  }
  constexpr int within_groups(collective kind, monoid how, int x, collective_params const& by) {
    return send(collectives::in_groups(kind, how), x, by, by.order.axes());
  }
  // Operands must be in memory of their own. Notes the most that it may send.
  constexpr int ragged(op_info const& op, int const* ids, int count, collective_params const& by,
                       array_value const& out) {
    int const id = emit(op, ids, count, by, out, by.order.axes());
    if (fresh_ && !by.order.empty()) note(op, id, id, by.order.axes(), 0);
    return id;
  }
  // The dtype in which values of dtype `own` are added up over devices.
  constexpr dtype dtype_of_sum(dtype own) const {
    dtype const said = sums == dtype::boolean ? here.sums : sums;
    return said == dtype::boolean || !is_floating(own) ? own : said;
  }
  constexpr int in_dtype(int x, dtype element) {
    if (facts(x).element == element) return x;
    static_assert(op_register<ops::cast>::done);
    if (int const scalar = scalar_of(x); scalar >= 0 && scalar != x) {
      array_value made = facts(x);
      made.element = element;
      return filled(in_dtype(scalar, element), made);
    }
    array_value made = facts(x);
    made.element = element;
    return emit(planning_info<ops::cast>, &x, 1, cast_params{element}, made);
  }
  // The device's position along the axes of `by`.
  constexpr int position(entry_value by) {
    array_value facts;
    facts.element = dtype::int32;
    return emit(planning_info<collectives::axis_index>, nullptr, 0, along(0, by), facts, by.axes());
  }

private:
  struct knowledge {
    int view = -1;      // position in views_
    int scalar = -1;    // the scalar that all its elements are
    int next = -1;      // the previous node with the same latest operand
    int youngest = -1;  // the last node whose latest operand this is
  };
  constexpr knowledge const& known(int id) const { return known_[id]; }

  static constexpr collective_params along(int dim, entry_value by) {
    collective_params over;
    over.dim = dim;
    over.order = by;
    return over;
  }
  constexpr array_value judged(op_info const& op, int x, attributes const& attrs) const {
    array_value const* const all[]{&facts(x)};
    return op.rule({local.mesh, all, 1, attrs}).result;
  }

  // The head of the list of nodes with this latest operand, in which equal nodes are found.
  constexpr int& chain(int const* ids, int count) {
    int latest = -1;
    for (int k = 0; k < count; ++k)
      if (ids[k] > latest) latest = ids[k];
    return latest < 0 ? constants_ : known_[latest].youngest;
  }
  constexpr bool same(node const& old, op_info const& op, int const* ids, int count, attributes const& attrs,
                      array_value const& facts) const {
    if (detail::bare_of(old.op) != detail::bare_of(&op) || old.operand_count != count ||
        old.facts.element != facts.element || old.facts.varying.bits != facts.varying.bits)
      return false;
    int const* const operands = local.operands.data();
    for (int k = 0; k < count; ++k)
      if (operands[old.first_operand + k] != ids[k]) return false;
    return old.facts.same_shape(facts) && old.attrs == attrs;
  }
  constexpr int push(op_info const& op, int const* ids, int count, attributes const& attrs, array_value facts) {
    constexpr int patience = 12;
    if (!share_) facts.varying = several_;
    facts.weak = false;
    fresh_ = false;
    bool const unique = unique_ || op.kind == op_class::argument;
    int& head = chain(ids, count);
    for (int id = head, tries = 0; !unique && id >= 0 && tries < patience; id = known_[id].next, ++tries)
      if (same(at(id), op, ids, count, attrs, facts)) return id;
    fresh_ = true;
    int const id = static_cast<int>(local.nodes.size());
    knowledge k;
    k.next = head;
    if (!unique) head = id;
    if (facts.rank == 0 && op.kind != op_class::axis_index) k.scalar = id;
    local.nodes.push_back(node{&op, static_cast<int>(local.operands.size()), count, attrs, facts, here});
    for (int i = 0; i < count; ++i) local.operands.push_back(ids[i]);
    known_.push_back(k);
    return id;
  }
  // Notes a message of node `by`, with the block of x.
  constexpr void note(op_info const& op, int by, int x, axis_set axes, std::int64_t group) {
    message sent;
    sent.kind = op.message;
    sent.axes = axes;
    sent.group = group;
    auto const elements = facts(x).size();
    sent.block = elements == dynamic ? dynamic : elements * bytes_of(facts(x).element);
    sent.bytes = bytes_sent(op.message, sent.block, sent.devices(mesh()));
    bool const adds = op.message == collective::all_reduce || op.message == collective::reduce_scatter;
    sent.at = adds && summed.cause ? summed.at : here;
    sent.cause = adds && summed.cause ? summed.cause : cause;
    messages.push_back(sent);
    if (log_) {
      layout_change said = change;
      if (adds && summed.cause) {
        said.node = summed.node;
        said.operand = layout_change::result;
      }
      log_->add(part_, said);
    }
    carriers.push_back(by);
  }
  constexpr int send(op_info const& op, int x, attributes const& attrs, axis_set axes) {
    x = in_memory(x);
    array_value const result = judged(op, x, attrs);
    int const id = push(op, &x, 1, attrs, result);
    if (!fresh_) return id;
    note(op, id, x, axes,
         op.message != collective::permute && table_of(attrs) ? device_groups{table_of(attrs)}.largest() : 0);
    return id;
  }

  growable<knowledge> known_;
  growable<strides> views_;
  int constants_ = -1;  // the last node without operands
  axis_set several_{};
  change_log* log_ = nullptr;
  int part_ = 0;
  bool share_ = true;
  bool fresh_ = false;   // the last push added a node
  bool unique_ = false;  // the next push must add a node
};

}  // namespace tessera
