// SPDX-License-Identifier: Apache-2.0
#pragma once
// The parameters of the operations that planning handles, one record per class; other operations have records of their
// own.

#include <tessera/aval/number.hpp>
#include <tessera/rule/batched_grid.hpp>
#include <tessera/rule/verdict.hpp>

#include <bit>

namespace tessera {

enum class params_kind : std::uint8_t {
  none,
  argument,
  refused,
  literal,
  iota,
  cast,
  reduce,
  dot,
  broadcast,
  permute,
  reshape,
  slice,
  slice_in_dim,
  concatenate,
  pad,
  update_slice,
  indexing,
  shard_map,
  mesh_cast,
  collective,
  exchange,
  result,
  loop,
  effect,
  own
};

// The role of a program's argument that is a C++ number.
enum class number_role : std::uint8_t {
  none,
  promoted,  // converted to another operand's type, which must be able to hold it
  asked,     // converted to the type that the user requested
  given,     // the argument itself, read by nothing
  read       // the argument itself, read with its full value
};
struct argument_params {
  static constexpr params_kind tag = params_kind::argument;
  number_role role = number_role::none;
  dtype element = dtype::float32;  // promoted, asked: the type that it is converted to
  int position = 0;                // and the number of the original argument
  constexpr bool operator==(argument_params const&) const = default;
};

// A refusal of a value, kept until it enters a program.
struct refused_params {
  static constexpr params_kind tag = params_kind::refused;
  reason why = reason::none;
  int dim = -1;
  std::int64_t size = 0, other = 0;
  constexpr bool operator==(refused_params const&) const = default;
};

struct literal_params {
  static constexpr params_kind tag = params_kind::literal;
  dtype element = dtype::float32;
  bool weak = false;  // written as a number in the program text: it has the full value of the C++ number
  bool fits = true;   // false if `element` cannot hold the number, which is kept
  number_value::form form = number_value::form::whole;  // of a weak whole number, or of a number that does not fit
  double number = 0;                                    // of inexact elements; of complex ones: the real part
  std::int64_t integer = 0;                             // of all other elements; bool: 0 or 1
  // Compares `number` by its bits: 0 differs from -0, and a NaN equals itself.
  constexpr bool operator==(literal_params const& other) const {
    return integer == other.integer &&
           std::bit_cast<std::uint64_t>(number) == std::bit_cast<std::uint64_t>(other.number) &&
           element == other.element && weak == other.weak && fits == other.fits && form == other.form;
  }
};

// The index of each element along `dim`.
struct iota_params {
  static constexpr params_kind tag = params_kind::iota;
  dtype element = dtype::float32;
  std::int64_t dim = 0;
  extents_list shape{};
  entry_value split{};  // local only: axes that split `dim`; elements count from the start of the device's part
  constexpr bool operator==(iota_params const&) const = default;
};

enum class cast_role : std::uint8_t {
  promotes,  // an operand is converted to another operand's type
  asked,     // the user wrote it
  number     // of an argument that is a C++ number: its type if it meets no other type
};
struct cast_params {
  static constexpr params_kind tag = params_kind::cast;
  dtype element = dtype::float32;
  bool weak = false;
  cast_role role = cast_role::promotes;
  constexpr bool operator==(cast_params const&) const = default;
};

// The dimensions that are removed; `keep` is numpy's `keepdims`.
struct reduce_params {
  static constexpr params_kind tag = params_kind::reduce;
  extents_list dims{};
  bool keep = false;
  constexpr bool operator==(reduce_params const&) const = default;
};

// lax.dot_general's dimension_numbers.
struct dot_params {
  static constexpr params_kind tag = params_kind::dot;
  extents_list lhs_contracting{}, rhs_contracting{}, lhs_batch{}, rhs_batch{};
  bool wide = false;  // of 16-bit floats: the result is their sum in float32
  constexpr bool operator==(dot_params const&) const = default;
};

// Operand dimension i becomes result dimension dims[i]; `shape` is the result's.
struct broadcast_params {
  static constexpr params_kind tag = params_kind::broadcast;
  extents_list dims{}, shape{};
  constexpr bool operator==(broadcast_params const&) const = default;
};

// Result dimension i is operand dimension order[i].
struct permute_params {
  static constexpr params_kind tag = params_kind::permute;
  extents_list order{};
  constexpr bool operator==(permute_params const&) const = default;
};

struct reshape_params {
  static constexpr params_kind tag = params_kind::reshape;
  extents_list shape{};
  constexpr bool operator==(reshape_params const&) const = default;
};

struct slice_params {
  static constexpr params_kind tag = params_kind::slice;
  extents_list start{}, limit{}, stride{};
  constexpr bool operator==(slice_params const&) const = default;
};
// A slice of one dimension, the others whole; nodes never have it.
struct slice_in_dim_params {
  static constexpr params_kind tag = params_kind::slice_in_dim;
  std::int64_t dim = 0;
  std::int64_t start = 0, limit = 0, stride = 1;
  constexpr bool operator==(slice_in_dim_params const&) const = default;
};

struct concatenate_params {
  static constexpr params_kind tag = params_kind::concatenate;
  std::int64_t dim = 0;
  constexpr bool operator==(concatenate_params const&) const = default;
};

// How many elements are added before and after (negative: removed), and between elements.
struct pad_params {
  static constexpr params_kind tag = params_kind::pad;
  extents_list low{}, high{}, interior{};
  constexpr bool operator==(pad_params const&) const = default;
};

struct update_slice_params {
  static constexpr params_kind tag = params_kind::update_slice;
  extents_list start{};
  constexpr bool operator==(update_slice_params const&) const = default;
};

// The treatment of an index that is out of range, or below 0.
struct index_mode {
  bool fill = false;   // not clamped: a gather returns NaN, the lowest integer or true; a scatter drops the update
  bool wrap = false;   // negative indices count from the end
  bool zeros = false;  // with fill: the element is 0
  // For x.at(...) and take, not for gathers and scatters:
  bool promised = false;      // all indices are in range
  bool refuse_known = false;  // an index that is out of range at compile time is an error
  bool check = false;         // an index that is out of range at run time throws
  constexpr bool operator==(index_mode const&) const = default;
  constexpr index_mode of_gather() const { return {fill, wrap, zeros}; }
};
// Windows at places given by index arrays: rule/indexing.hpp.
struct indexing_params {
  static constexpr params_kind tag = params_kind::indexing;
  extents_list window{};      // window extent along each dimension of operand 0
  extents_list runs_along{};  // by dimension of operand 0: the result dimension, or collapsed, or with_index
  extents_list indexed{};     // by index operand: the dimension of operand 0 that it indexes
  index_mode mode{};
  constexpr bool operator==(indexing_params const&) const = default;
};

// A border of shard_map. Its spec: attributes::out.
struct shard_map_params {
  static constexpr params_kind tag = params_kind::shard_map;
  axis_set axes{};         // the axes that are Manual inside
  axis_set again{};        // those of them that were Manual outside
  bool as_it_is = false;   // the value must have the layout of the spec
  bool unchecked = false;  // JAX's check_vma=False
  constexpr bool operator==(shard_map_params const&) const = default;
};

// A border of auto_axes or explicit_axes: the axes that have another kind inside.
struct mesh_cast_params {
  static constexpr params_kind tag = params_kind::mesh_cast;
  axis_set axes{};
  constexpr bool operator==(mesh_cast_params const&) const = default;
};

// Communication between the devices along axes; each collective documents which fields it reads.
struct collective_params {
  static constexpr params_kind tag = params_kind::collective;
  static constexpr std::int64_t no_fault = -1;
  axis_set axes{};                      // the axes over which the result becomes equal, or becomes varying
  entry_value order{};                  // the axes, major first, if the order of devices matters
  axis_set unchecked{};                 // of a shard_map with check_vma<false>: values count as varying over them
  std::int64_t dim = 0;                 // the dimension that grows, shrinks or is split
  std::int64_t concat_dim = 0;          // of all_to_all: the dimension that grows
  std::int32_t const* table = nullptr;  // its length, then its numbers, a constant: sources of devices or groups
  std::int64_t fault = no_fault;        // a device that the table names wrongly
  bool backwards = false;               // of ppermute: use the second half of its table
  bool adds = false;                    // of ragged_all_to_all: adds to the elements of the output
  constexpr axis_set joined() const { return axes | order.axes(); }
  constexpr bool operator==(collective_params const&) const = default;
};

// Local only: blocks move between devices. Positions along the axes `from` become positions along the axes `to`, in
// groups of the given numbers of axes, or of one axis each. Or, from some axes to the same axes in one group, blocks
// move `further` places.
struct exchange_params {
  static constexpr params_kind tag = params_kind::exchange;
  extents_list from{}, to{}, groups{};
  std::int64_t further = 0;
  constexpr bool operator==(exchange_params const&) const = default;
};

// Which result of its operand.
struct result_params {
  static constexpr params_kind tag = params_kind::result;
  std::int64_t which = 0;
  constexpr bool operator==(result_params const&) const = default;
};

enum class loop_kind : std::uint8_t { scan, while_, branch, grid };
// The shape of a node that runs regions: graph/loop.hpp.
struct loop_shape {
  static constexpr params_kind tag = params_kind::loop;
  loop_kind kind{};
  int carried = 0;
  int sliced = 0;
  bool reverse = false;
  std::int64_t length = 1;  // iterations of a scan; dynamic: known at run time
  int results = -1;  // of a checkpoint that saves values: the number of its results; the others are what it saves
  grid_value const* grid = nullptr;  // of a kernel, whose instances are `length` iterations
  grid_batches batches{};            // in front of its grid

  // The index of the region whose outputs are the results.
  constexpr int body() const { return kind == loop_kind::while_ ? 1 : 0; }
  constexpr int selectors() const { return kind == loop_kind::branch; }
  constexpr int first_capture() const { return carried + sliced + selectors(); }
  constexpr bool operator==(loop_shape const&) const = default;
};

struct effect_params {
  static constexpr params_kind tag = params_kind::effect;
  axis_set axes{};                     // the effect happens on each device along them
  std::int64_t extent = 0, dim = 0;    // of a checked index
  std::int32_t const* text = nullptr;  // of debug_print: the length of the format, then its characters
  bool checks = false;                 // it throws, rather than print
  constexpr bool operator==(effect_params const&) const = default;
};

}  // namespace tessera
