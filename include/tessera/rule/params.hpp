// SPDX-License-Identifier: Apache-2.0
#pragma once
// The parameters of the operations that planning knows, one record for each class; others are records of an op's own.

#include <tessera/aval/number.hpp>
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

// Why an argument of a program stands in it that is a C++ number.
enum class number_role : std::uint8_t {
  none,
  promoted,  // as another operand's type, which must hold it
  asked,     // as the type that the user asked for
  given,     // the argument itself; nothing reads it
  read       // the argument itself, at full value
};
struct argument_params {
  static constexpr params_kind tag = params_kind::argument;
  number_role role = number_role::none;
  dtype element = dtype::float32;  // of one that is promoted or asked for: as what,
  int position = 0;                // and the position of the argument given
  constexpr bool operator==(argument_params const&) const = default;
};

// A value that an operation refused, until it is known who is told.
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
  bool weak = false;  // as a number in the program text: it has the full value of the C++ number
  bool fits = true;   // not, where `element` cannot hold the number, which is kept
  number_value::form form = number_value::form::whole;  // of a weak whole number, and of one that does not fit
  double number = 0;                                    // of inexact elements; of complex ones the real part
  std::int64_t integer = 0;                             // of all others; bool: 0 or 1
  // `number` by its bits: 0 is not -0, and NaN is itself.
  constexpr bool operator==(literal_params const& other) const {
    return integer == other.integer &&
           std::bit_cast<std::uint64_t>(number) == std::bit_cast<std::uint64_t>(other.number) &&
           element == other.element && weak == other.weak && fits == other.fits && form == other.form;
  }
};

// Its own index along `dim`.
struct iota_params {
  static constexpr params_kind tag = params_kind::iota;
  dtype element = dtype::float32;
  std::int64_t dim = 0;
  extents_list shape{};
  entry_value split{};  // local only: by what `dim` is split, elements count from the device's part on
  constexpr bool operator==(iota_params const&) const = default;
};

enum class cast_role : std::uint8_t {
  promotes,  // an operand takes another one's type
  asked,     // the user wrote it
  number     // of a program's argument that is a C++ number, as it is where it meets no other type
};
struct cast_params {
  static constexpr params_kind tag = params_kind::cast;
  dtype element = dtype::float32;
  bool weak = false;
  cast_role role = cast_role::promotes;
  constexpr bool operator==(cast_params const&) const = default;
};

// The dimensions that go; numpy's `keepdims`.
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
// A slice of one dimension, the others whole: never a node's.
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

// How many elements are added before (negative: removed), after, and between those that are there.
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

// What becomes of an index that is outside, and of one below 0.
struct index_mode {
  bool fill = false;  // not moved inside: a gather's element is NaN, the lowest integer or true; a scatter's is dropped
  bool wrap = false;  // negative ones count from the end
  bool zeros = false;  // with fill: the element is 0
  // Of x.at(...) and take, not of gathers and scatters:
  bool promised = false;      // none is outside
  bool refuse_known = false;  // one that is known while compiling is an error
  bool check = false;         // one that is found when the program runs throws
  constexpr bool operator==(index_mode const&) const = default;
  constexpr index_mode of_gather() const { return {fill, wrap, zeros}; }
};
// Windows at places that index arrays name: rule/indexing.hpp.
struct indexing_params {
  static constexpr params_kind tag = params_kind::indexing;
  extents_list window{};  // their extent along each dimension of operand 0
  extents_list
      runs_along{};        // for each dimension of operand 0, the result's that runs along it, or what stands for none
  extents_list indexed{};  // for each index operand, the dimension of operand 0 in which it counts
  index_mode mode{};
  constexpr bool operator==(indexing_params const&) const = default;
};

// A border of shard_map. Its spec: attributes::out.
struct shard_map_params {
  static constexpr params_kind tag = params_kind::shard_map;
  axis_set axes{};         // those that are Manual inside,
  axis_set again{};        // and among them those that were before
  bool as_it_is = false;   // the value must have that layout
  bool unchecked = false;  // JAX's check_vma=False
  constexpr bool operator==(shard_map_params const&) const = default;
};

// A border of auto_axes or explicit_axes: the axes that are of another kind inside.
struct mesh_cast_params {
  static constexpr params_kind tag = params_kind::mesh_cast;
  axis_set axes{};
  constexpr bool operator==(mesh_cast_params const&) const = default;
};

// Communication between the devices along axes; each says in its header what it reads.
struct collective_params {
  static constexpr params_kind tag = params_kind::collective;
  static constexpr std::int64_t no_fault = -1;
  axis_set axes{};                      // those that the result is the same along, or comes to differ along
  entry_value order{};                  // the axes, major first, where the order of devices matters
  axis_set unchecked{};                 // of a shard_map with check_vma<false>: values vary over all of them, always
  std::int64_t dim = 0;                 // which dimension grows, shrinks or is split
  std::int64_t concat_dim = 0;          // of all_to_all: the one that grows
  std::int32_t const* table = nullptr;  // its length, then its numbers, a constant: sources of devices, or groups
  std::int64_t fault = no_fault;        // a device that a table names wrongly
  bool backwards = false;               // of ppermute: by the second half of its table
  bool adds = false;                    // of ragged_all_to_all: to what is there
  constexpr axis_set joined() const { return axes | order.axes(); }
  constexpr bool operator==(collective_params const&) const = default;
};

// Local only: blocks change devices. Positions along the axes `from` become those along `to`, in groups of so many axes,
// of one each where there are none; or, from the same axes to themselves in one group, so many places further.
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

enum class loop_kind : std::uint8_t { scan, while_, branch };
// What a node that runs regions says of itself: graph/loop.hpp.
struct loop_shape {
  static constexpr params_kind tag = params_kind::loop;
  loop_kind kind{};
  int carried = 0;
  int sliced = 0;
  bool reverse = false;
  std::int64_t length = 1;  // turns of a scan; dynamic: known when it runs

  // The region whose outputs are the results.
  constexpr int body() const { return kind == loop_kind::while_ ? 1 : 0; }
  constexpr int selectors() const { return kind == loop_kind::branch; }
  constexpr int first_capture() const { return carried + sliced + selectors(); }
  constexpr bool operator==(loop_shape const&) const = default;
};

struct effect_params {
  static constexpr params_kind tag = params_kind::effect;
  axis_set axes{};                     // it happens on each device along them
  std::int64_t extent = 0, dim = 0;    // of an index that is checked
  std::int32_t const* text = nullptr;  // of what is printed: the format's length, its characters
  constexpr bool operator==(effect_params const&) const = default;
};

}  // namespace tessera
