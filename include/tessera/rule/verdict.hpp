// SPDX-License-Identifier: Apache-2.0
#pragma once
// The answer of a rule: the result's facts, or the reason for a refusal, with the facts that its message needs.

#include <tessera/aval/value.hpp>

#include <cstdint>

namespace tessera {

// One enumerator per error type in error/; the names are the same.
enum class reason : std::uint8_t {
  none,
  axis_used_twice,
  axis_not_in_mesh,
  spec_too_long,
  not_divisible,
  auto_axis_named,
  unconstrained_dim,
  dims_disagree,
  shapes_disagree,
  ranks_disagree,
  needs_out_sharding,
  ambiguous_reshape,
  sharded_dim_unsupported,
  unreduced_operand,
  dim_out_of_range,
  elements_disagree,
  element_unsupported,
  meshes_differ,
  grad_of_non_scalar,
  not_differentiable,
  malformed_einsum,
  index_out_of_range,
  axis_not_auto,            // with_sharding_constraint names an axis whose layout the planner does not choose
  manual_axis_changed,      // auto_axes or explicit_axes over an axis that is Manual
  shardings_missing,        // auto_axes without out_shardings, explicit_axes without in_shardings
  constraint_differs,       // with_sharding_constraint on a fully Explicit mesh: an assertion that failed
  not_an_array,             // a C++ value of another type is used as an operand
  captured_array,           // traced code uses an array that is not its argument
  function_with_state,      // a traced function object that has data
  not_callable,             // a traced function that does not take these arguments
  axis_not_manual,          // a collective, or a spec of shard_map, names an axis that is not Manual there
  in_specs_differ,          // shard_map's in_specs differ from the argument's layout
  result_varies,            // shard_map's out_specs leave out an axis over which the result differs
  malformed_permutation,    // one device receives twice, sends twice, or does not exist
  malformed_groups,         // groups omit a device, name one twice, or differ in size
  left_in_flight,           // something that was started is not waited for in its region
  awaited_twice,            // it is waited for more than once
  key_used_twice,           // random numbers are drawn from one key more than once
  not_one_key,              // an operation of one key takes a batch of keys, or a part of one
  carry_differs,            // a loop's body returns a carried value of another type
  branches_differ,          // the branches of cond return different types
  trees_differ,             // values of another structure than those whose place they take
  collective_in_kernel,     // the function of a kernel communicates
  collective_in_branch,     // communication over an axis along which devices choose different branches
  mask_as_index,            // an array of bool as an index, so that the type cannot give the result's size
  partly_varying,           // a sum over several axes of a value that differs over some of them only
  not_mappable,             // vmap of an operation without a rule for it
  result_mapped,            // vmap's out_axes leave out a result that differs along the mapped axis
  malformed_cast,           // pcast between states that have no cast
  value_as_condition,       // a C++ condition depends on a traced value
  value_on_host,            // the elements or devices of a traced value are read
  in_host_memory,           // an operation on an array in host memory
  specs_miscounted,         // shard_map or vmap: not one spec or dimension per argument or result
  not_constexpr,            // a traced function that cannot be evaluated at compile time
  assignment_changes_type,  // a variable is assigned a value of another type
  not_one_per_device,       // untiled: a dimension of a collective does not have one element per device
  turns_as_argument,        // scan(f, init, 10)
  number_out_of_range,      // a C++ number meets an integer type that cannot hold it
  no_elements,              // an array without elements is requested
  uneven_unsupported,       // an operation without a rule for dimensions that are not divisible by their axes
  tangents_differ,          // a tangent or cotangent of another type than its value
  rule_differs,             // a custom_vjp or custom_jvp whose rule gives other types than its function
  rule_reads_around,        // its function, or the rule, reads a differentiated value that is no argument
  malformed_kernel,         // its grid, blocks or function are not what they must be
  kernel_reads_around,      // its function reads an array that is no operand
  malformed_call,           // a composed function with arguments that it does not take
  not_linear,               // linear_transpose of a function, or a custom_jvp of tangents, that is not linear
  count                     // the number of reasons
};

struct verdict {
  reason why = reason::none;
  array_value result{};
  int operand = -1;  // the operand that the reason is about; -1: the result
  int lhs_dim = -1;  // the dimension of the first operand (or of the only operand, or of the result)
  int rhs_dim = -1;
  bool one_entry = false;  // rhs_dim must be split as lhs_dim, also if they differ
  axis_set axes{};         // the mesh axes in question
  std::int64_t size = 0;   // the extent in question
  std::int64_t other = 0;  // what it was compared with: another extent, a number of parts, a rank

  constexpr explicit operator bool() const { return why == reason::none; }
};

constexpr verdict accept(array_value const& result) {
  verdict v;
  v.result = result;
  return v;
}
constexpr verdict refuse(reason why, int dim = -1, axis_set axes = {}, std::int64_t size = 0, std::int64_t other = 0) {
  verdict v;
  v.why = why;
  v.lhs_dim = dim;
  v.axes = axes;
  v.size = size;
  v.other = other;
  return v;
}

}  // namespace tessera
