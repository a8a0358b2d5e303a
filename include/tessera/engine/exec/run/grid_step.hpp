// SPDX-License-Identifier: Apache-2.0
#pragma once
// A kernel: its body's steps run once for each instance of the grid, on blocks of the operands and results. Blocks of
// operands are read in place; blocks that reach over the end of an array are copied, with zeros behind the end, and so
// are blocks whose numbers differ between devices. Results are written in place if a block is one run of memory, and
// copied there if not, or if the body adds to what it has written; blocks that are added: grid_sums.hpp. A result that
// begins with an operand's values is copied from it, whole, before the first instance, unless it has its memory.
// Parallel instances run on the threads of the host, each with its own memory for all values of the body. Numbers that
// tables hold are checked before the first instance.

#include <tessera/engine/exec/memory/device_bytes.hpp>
#include <tessera/engine/exec/run/grid_tables.hpp>
#include <tessera/graph/loop.hpp>
#include <tessera/plan/lower/link.hpp>

#include <algorithm>
#include <numeric>
#include <vector>

namespace tessera::detail {

// A copy between a block's own memory and its place in an array, and how far both begin behind the block's beginning.
struct block_copy {
  transfer_work work;
  std::int64_t block = 0, whole = 0;  // in bytes
};

// Copies between a block's own memory and its place in an array: one for each set of dimensions in which the block
// reaches over the end. In an array with zeros around it, a block that reaches into them gets a copy of its own.
struct block_copies {
  std::vector<transfer_work> works;
  std::vector<int> cut;  // the dimensions that blocks do not divide
  bool padded = false;
  transfer axes;                                        // without the dimensions of the array
  by_dim<std::int64_t> block_stride{}, whole_stride{};  // by dimension of the array

  // For a block at these block numbers. Not below works.size(): it reaches into the zeros.
  std::size_t which(block_value const& block, std::int64_t const* at) const {
    std::size_t n = 0;
    for (std::size_t i = 0; i < cut.size(); ++i) {
      int const d = cut[i];
      std::int64_t const first = at[d] * block.step(d) - block.before[d];
      if (first < 0 || first + block.extent[d] > block.whole[d]) n |= std::size_t{1} << i;
    }
    return n;
  }
  // What is within the array of a block that reaches out of it; false: nothing is.
  bool within(block_value const& block, std::int64_t const* at, block_copy& made) const {
    transfer t = axes;
    std::int64_t const size = bytes_of(t.element);
    for (int d = 0; d < block.rank; ++d) {
      std::int64_t const first = at[d] * block.step(d) - block.before[d], begin = std::max<std::int64_t>(-first, 0);
      std::int64_t const end = std::min(block.extent[d], block.whole[d] - first);
      if (end <= begin) return false;
      t.keep(end - begin, whole_stride[d], block_stride[d]);
      made.block += begin * block_stride[d] * size;
      made.whole += begin * whole_stride[d] * size;
    }
    made.work = prepare(t);
    number_tiles(&made.work, 1);
    return true;
  }
};

// Bytes from the first device's block to that of a device, in the array and in a copied block.
struct device_part {
  std::int64_t whole = 0, block = 0;
};

// Of a result to which blocks are added, for each set of dimensions as above: from the array to memory in front of the
// block, and the sum of both to the array.
struct block_sums {
  std::vector<transfer_work> reads, sums;
};

struct grid_step {
  // An array that is cut into blocks.
  struct blocked_array {
    int slot = -1;                              // of the array
    std::int64_t offset = 0, step[max_rank]{};  // in bytes; between neighboring blocks
    block_copies copies;                        // empty: it is read or written in place
    std::vector<device_part> parts{{}};         // copied one by one: the devices whose block numbers differ
    transfer_work zeros;                        // of one device's part of a block, of output that is added to
    std::vector<transfer_work> begins;  // from the array: of a result that begins with values, if it is added to
    transfer_work all;                  // to a result that begins with values, or as zeros if not all is written
    int alias_slot = -1;                // whose values it begins with
    std::int64_t alias_offset = 0;      // in bytes
    std::int64_t place = 0, bytes = 0;  // of the block's copy in an instance's memory
    int in_slot = -1, out_slot = -1;    // in the body
    block_sums sums;                    // empty: blocks are not added
    std::int64_t pair = 0;              // of memory for two blocks in an instance's memory, if they are added
    bool added_to = false;              // the body reads what it wrote: two copies take turns
  };
  struct scratch_block {
    int in_slot = -1, out_slot = -1;
    std::int64_t place = 0, bytes = 0;
  };

  static constexpr std::int64_t zero_bytes = 64;  // in front of `numbers`

  grid_value grid{};                // with its batches
  std::vector<block_value> blocks;  // which it names
  grid_tables tables;
  bool in_order = false;     // its body may throw
  int first = 0, count = 0;  // steps of the body
  std::vector<blocked_array> inputs, outputs;
  std::vector<scratch_block> scratches;
  std::vector<int> id_slots;  // without those of batches
  buffer numbers;             // zeros, then 0, 1, 2 ... as int32: the program ids
  std::int64_t begin = 0;     // of the body's values in the arena
  std::int64_t bytes = 0;     // of an instance's memory without `scratch_bytes`
  std::int64_t touched = 0;   // bytes that all instances read and write
  int arena_slot = -1;

  static bool takes(step_binding const& b) {
    return b.is(step_kind::loop) && loop_of(b.plan.local, b.at.node).kind == loop_kind::grid;
  }
  TESSERA_COLD static grid_step bind(step_binding& b);
  void run(step_run const& r) const;

  std::size_t batches() const { return static_cast<std::size_t>(grid.rank) - id_slots.size(); }
  // The block numbers of a block for these program ids.
  static void find_block(block_value const& block, std::int64_t const* ids, std::int32_t const* const* tables,
                         std::int64_t* at) {
    for (int d = 0; d < block.rank; ++d) at[d] = block.at[d].at(ids, tables);
  }
};

class grid_binder {
public:
  TESSERA_COLD explicit grid_binder(step_binding& b)
      : b_(b), p_(b.plan), body_(b.plan.regions[b.at.region]), shape_(loop_of(b.plan.local, b.at.node)) {}

  TESSERA_COLD grid_step bind() {
    made_.grid = batched_grid(*shape_.grid, shape_.batches);
    for (int k = 0; k < made_.grid.inputs + made_.grid.outputs; ++k)
      made_.blocks.push_back(blocks_of_kernel(shape_, k));
    made_.grid.blocks = made_.blocks.data();
    grid_value const& grid = made_.grid;
    made_.first = body_.first_step;
    made_.count = body_.step_count;
    made_.arena_slot = b_.where.arena();
    made_.tables.bind(b_, grid);
    arena();
    for (int k = 0; k < grid.inputs; ++k) made_.inputs.push_back(input(k));
    for (int k = 0; k < grid.outputs; ++k) made_.outputs.push_back(output(k));
    for (int k = 0; k < grid.scratches; ++k) {
      int const after = grid.outputs + k;
      made_.scratches.push_back({slot_of(in(grid.inputs + after)), slot_of(out(after)), 0, bytes_at(out(after))});
      made_.scratches.back().place = reserve(2 * made_.scratches.back().bytes);
    }
    for (int d = 0; d < shape_.grid->rank; ++d)
      made_.id_slots.push_back(slot_of(in(grid.inputs + grid.outputs + grid.scratches + d)));
    count_up();
    return std::move(made_);
  }

private:
  array_value const& facts(int id) const { return p_.local[id].facts; }
  int slot_of(int id) const { return b_.where[id].slot; }
  int in(int k) const { return p_.lists[body_.inputs.first + body_.captures + k]; }
  int out(int k) const { return p_.lists[body_.outputs.first + k]; }
  std::int64_t bytes_at(int id) const { return (storage_bytes(facts(id), *p_.local.mesh) + 63) / 64 * 64; }
  std::int64_t reserve(std::int64_t bytes) {
    std::int64_t const place = made_.bytes;
    made_.bytes += bytes;
    return place;
  }

  // The values of the body, which each instance has in its own memory.
  TESSERA_COLD void arena() {
    std::int64_t end = b_.at.workspace;
    region_end(body_, end);
    made_.begin = b_.at.workspace;
    reserve((end - made_.begin + 63) / 64 * 64);
  }
  void region_end(plan_region const& r, std::int64_t& end) {
    for (int s = r.first_step; s < r.first_step + r.step_count; ++s) {
      step const& at = p_.steps[s];
      for (int i = 0; i < at.outputs.count; ++i) {
        int const id = p_.lists[at.outputs.first + i];
        if (p_.places[id].kind == place_kind::buffer)
          end = std::max(end, p_.places[id].offset + storage_bytes(facts(id), *p_.local.mesh));
      }
      if (at.kind != step_kind::loop) continue;
      may_throw(loop_of(p_.local, at.node));
      std::int64_t const devices = p_.local.mesh->held_devices(p_.local.mesh->axes());
      end = std::max(end, at.workspace + answer_bytes(loop_of(p_.local, at.node), devices));
      for (int k = 0; k < p_.local[at.node].region_count; ++k) region_end(p_.regions[at.region + k], end);
    }
  }

  void may_throw(loop_shape const& inner) {
    if (inner.kind != loop_kind::grid) return;
    for (int k = 0; k < inner.grid->inputs + inner.grid->outputs; ++k)
      made_.in_order = made_.in_order || inner.grid->blocks[k].reads();
  }

  TESSERA_COLD grid_step::blocked_array input(int k) {
    int const whole = p_.local.operand(b_.at.node, k), block = in(k);
    block_value const& blocks = made_.grid.blocks[k];
    grid_step::blocked_array made = array(whole, blocks, block);
    made.in_slot = slot_of(block);
    if (is_read_in_place(p_, b_.at.node, k) || !body_reads(p_, body_, k)) {
      made.offset -= b_.where[whole].at.offset * bytes_of(facts(whole).element);  // which the body adds
      return made;
    }
    copies(made, whole, blocks, block, true);
    made.place = reserve(made.bytes);
    return made;
  }
  TESSERA_COLD grid_step::blocked_array output(int k) {
    int const whole = p_.lists[b_.at.outputs.first + k], block = out(k);
    block_value const& blocks = made_.grid.output(k);
    grid_step::blocked_array made = array(whole, blocks, block);
    made.in_slot = slot_of(in(shape_.grid->inputs + k));
    made.out_slot = slot_of(block);
    made.added_to = is_added_to(p_, body_, k);
    if (is_begun(k, made.added_to)) {
      int const alias = p_.local.operand(b_.at.node, blocks.alias);
      made.alias_slot = b_.where[alias].slot;
      made.alias_offset = b_.where[alias].bytes + b_.where[alias].at.offset * bytes_of(facts(whole).element);
      made.all = filled(whole, b_.where[alias].at);
    } else if (blocks.reads() || blocks.summed) {
      made.all = filled(whole, {});
    }
    if (is_written_in_place(p_, body_, k)) return made;
    copies(made, whole, blocks, block, false);
    made.place = reserve(made.added_to ? 2 * made.bytes : made.bytes);
    if (blocks.summed) made.pair = reserve(2 * made.bytes);
    return made;
  }
  TESSERA_COLD grid_step::blocked_array array(int whole, block_value const& blocks, int block) {
    location const& at = b_.where[whole];
    if (at.slot < 0) throw std::logic_error("tessera: an array of a kernel has no memory.");
    std::int64_t const size = bytes_of(facts(whole).element);
    grid_step::blocked_array made;
    made.slot = at.slot;
    made.offset = at.bytes + at.at.offset * size;
    for (int d = 0; d < blocks.rank; ++d) {
      made.step[d] = at.at.dim_stride[d] * blocks.step(d) * size;
      made.offset -= at.at.dim_stride[d] * blocks.before[d] * size;
    }
    made.bytes = bytes_at(block);
    made_.touched += made.bytes * shape_.length;
    return made;
  }
  TESSERA_COLD void copies(grid_step::blocked_array& made, int whole, block_value const& blocks, int block,
                           bool to_block) const {
    std::vector<int>& cut = made.copies.cut;
    for (int d = 0; d < blocks.rank; ++d) {
      if (!blocks.divides(d)) cut.push_back(d);
      made.copies.padded = made.copies.padded || blocks.padded(d);
    }
    mesh_value const& mesh = *p_.local.mesh;
    strides const own = own_strides(facts(block), mesh), in_whole = b_.where[whole].at;
    bool const apart = differs_by_device(p_, b_.at.node, blocks);
    axis_set const together =
        (facts(whole).varying | facts(block).varying) - (apart ? made_.tables.axes() : axis_set{});
    auto const keep = [&](transfer& t, std::int64_t extent, std::int64_t block_step, std::int64_t whole_step) {
      to_block ? t.keep(extent, whole_step, block_step) : t.keep(extent, block_step, whole_step);
    };
    made.copies.axes.element = facts(whole).element;
    for (int a = 0; a < mesh.rank; ++a)
      if (together.contains(a)) keep(made.copies.axes, mesh.held(a), own.axis_stride[a], in_whole.axis_stride[a]);
    int seen = 0;
    for (int d = 0; d < blocks.rank; ++d) {
      made.copies.whole_stride[d] = in_whole.dim_stride[d];
      made.copies.block_stride[d] = blocks.squeezed[d] ? 0 : own.dim_stride[seen++];
    }
    std::size_t const sets = made.copies.padded ? 1 : std::size_t{1} << cut.size();
    for (std::size_t n = 0; n < sets; ++n) {
      transfer t = made.copies.axes;
      for (int d = 0; d < blocks.rank; ++d) {
        auto const found = std::find(cut.begin(), cut.end(), d);
        bool const short_of = found != cut.end() && (n >> (found - cut.begin()) & 1) != 0;
        std::int64_t const left = blocks.whole[d] - (blocks.blocks(d) - 1) * blocks.extent[d];
        keep(t, short_of ? left : blocks.extent[d], made.copies.block_stride[d], in_whole.dim_stride[d]);
      }
      made.copies.works.push_back(prepared(t));
      if (blocks.summed) {
        made.sums.reads.push_back(prepared(turned(t)));
        t.combine = monoid::sum;
        t.reduce(2, made.bytes / bytes_of(t.element));
        made.sums.sums.push_back(prepared(t));
      } else if (made.alias_slot >= 0 && made.added_to) {
        made.begins.push_back(prepared(turned(t)));
      }
    }
    std::int64_t const size = bytes_of(facts(whole).element);
    made.parts.resize(apart ? made_.tables.devices() : 1);
    for (std::size_t c = 0; c < made.parts.size(); ++c)
      made.parts[c] = {made_.tables.block_of(c, in_whole) * size, made_.tables.block_of(c, own) * size};
    if (!made.added_to) return;
    transfer t;
    t.element = facts(block).element;
    for (int d = 0; d < facts(block).rank; ++d) t.keep(facts(block).extent(d), 0, own.dim_stride[d]);
    for (int a = 0; a < mesh.rank; ++a)
      if (together.contains(a)) t.keep(mesh.held(a), 0, own.axis_stride[a]);
    made.zeros = prepared(t);
  }
  // Whether a result begins with an operand's values, and some of them are seen.
  TESSERA_COLD bool is_begun(int k, bool added_to) const {
    block_value alone = shape_.grid->output(k);
    if (alone.alias < 0) return false;
    alone.alias = -1;
    std::vector<std::int64_t> seen;
    return added_to || alone.reads() || alone.summed || judge_output(alone, *shape_.grid, seen) != grid_fault::none;
  }
  // A whole result from an array with these strides.
  TESSERA_COLD transfer_work filled(int whole, strides const& from) const {
    mesh_value const& mesh = *p_.local.mesh;
    strides const& at = b_.where[whole].at;
    transfer t;
    t.element = facts(whole).element;
    for (int d = 0; d < facts(whole).rank; ++d) t.keep(facts(whole).extent(d), from.dim_stride[d], at.dim_stride[d]);
    for (int a = 0; a < mesh.rank; ++a)
      if (facts(whole).varying.contains(a)) t.keep(mesh.held(a), from.axis_stride[a], at.axis_stride[a]);
    return prepared(t);
  }
  static transfer turned(transfer t) {
    for (int i = 0; i < t.kept.size(); ++i) std::swap(t.kept[i].in, t.kept[i].out);
    return t;
  }
  static transfer_work prepared(transfer const& t) {
    transfer_work made = prepare(t);
    number_tiles(&made, 1);
    return made;
  }
  TESSERA_COLD void count_up() {
    std::int64_t const most = *std::max_element(shape_.grid->extent, shape_.grid->extent + max_grid);
    constexpr auto zeros = grid_step::zero_bytes / std::int64_t{sizeof(std::int32_t)};
    std::vector<std::int32_t> all(static_cast<std::size_t>(zeros + std::max<std::int64_t>(most, 1)));
    std::iota(all.begin() + zeros, all.end(), 0);
    made_.numbers = buffer(all.size() * sizeof(std::int32_t));
    copy_bytes(made_.numbers.data(), reinterpret_cast<std::byte const*>(all.data()), made_.numbers.size(), true);
  }

  step_binding& b_;
  plan_view p_;
  plan_region const& body_;
  loop_shape shape_;
  grid_step made_;
};

TESSERA_COLD inline grid_step grid_step::bind(step_binding& b) { return grid_binder(b).bind(); }

}  // namespace tessera::detail
