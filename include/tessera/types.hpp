// SPDX-License-Identifier: Apache-2.0
#pragma once
// The type level: meshes, specs, types, rules, tracing, gradients, plans and their cost. Needs Boost.Mp11 only;
// nothing here runs a program.

// First and one by one: each file in between would be a line of every error's text.
#include <tessera/base/arrays_otherwise.hpp>
#include <tessera/base/config.hpp>
#include <tessera/base/functions_otherwise.hpp>
#include <tessera/base/written_otherwise.hpp>

#include <tessera/mesh/mesh.hpp>

#include <tessera/trace/tree.hpp>

#include <tessera/error/ambiguous_reshape.hpp>
#include <tessera/error/assignment_changes_type.hpp>
#include <tessera/error/auto_axis_named.hpp>
#include <tessera/error/awaited_twice.hpp>
#include <tessera/error/axis_not_auto.hpp>
#include <tessera/error/axis_not_in_mesh.hpp>
#include <tessera/error/axis_not_manual.hpp>
#include <tessera/error/axis_used_twice.hpp>
#include <tessera/error/branches_differ.hpp>
#include <tessera/error/bytes_round_up.hpp>
#include <tessera/error/bytes_vary.hpp>
#include <tessera/error/captured_array.hpp>
#include <tessera/error/carry_differs.hpp>
#include <tessera/error/collective_in_branch.hpp>
#include <tessera/error/collective_in_kernel.hpp>
#include <tessera/error/communicates_otherwise.hpp>
#include <tessera/error/constraint_differs.hpp>
#include <tessera/error/dim_out_of_range.hpp>
#include <tessera/error/dims_disagree.hpp>
#include <tessera/error/element_unsupported.hpp>
#include <tessera/error/elements_disagree.hpp>
#include <tessera/error/function_with_state.hpp>
#include <tessera/error/grad_of_non_scalar.hpp>
#include <tessera/error/in_host_memory.hpp>
#include <tessera/error/in_specs_differ.hpp>
#include <tessera/error/index_out_of_range.hpp>
#include <tessera/error/kernel_reads_around.hpp>
#include <tessera/error/key_used_twice.hpp>
#include <tessera/error/left_in_flight.hpp>
#include <tessera/error/malformed_call.hpp>
#include <tessera/error/malformed_cast.hpp>
#include <tessera/error/malformed_einsum.hpp>
#include <tessera/error/malformed_groups.hpp>
#include <tessera/error/malformed_kernel.hpp>
#include <tessera/error/malformed_permutation.hpp>
#include <tessera/error/manual_axis_changed.hpp>
#include <tessera/error/mask_as_index.hpp>
#include <tessera/error/meshes_differ.hpp>
#include <tessera/error/needs_out_sharding.hpp>
#include <tessera/error/no_elements.hpp>
#include <tessera/error/not_an_array.hpp>
#include <tessera/error/not_callable.hpp>
#include <tessera/error/not_constexpr.hpp>
#include <tessera/error/not_differentiable.hpp>
#include <tessera/error/not_divisible.hpp>
#include <tessera/error/not_linear.hpp>
#include <tessera/error/not_mappable.hpp>
#include <tessera/error/not_one_key.hpp>
#include <tessera/error/not_one_per_device.hpp>
#include <tessera/error/number_out_of_range.hpp>
#include <tessera/error/partly_varying.hpp>
#include <tessera/error/ranks_disagree.hpp>
#include <tessera/error/result_mapped.hpp>
#include <tessera/error/result_varies.hpp>
#include <tessera/error/rule_differs.hpp>
#include <tessera/error/rule_reads_around.hpp>
#include <tessera/error/shapes_disagree.hpp>
#include <tessera/error/sharded_dim_unsupported.hpp>
#include <tessera/error/shardings_missing.hpp>
#include <tessera/error/spec_too_long.hpp>
#include <tessera/error/specs_miscounted.hpp>
#include <tessera/error/tangents_differ.hpp>
#include <tessera/error/trees_differ.hpp>
#include <tessera/error/turns_as_argument.hpp>
#include <tessera/error/unconstrained_dim.hpp>
#include <tessera/error/uneven_unsupported.hpp>
#include <tessera/error/unreduced_operand.hpp>
#include <tessera/error/value_as_condition.hpp>
#include <tessera/error/value_on_host.hpp>

#include <tessera/aval/type_text.hpp>
#include <tessera/control/control.hpp>
#include <tessera/kernel/kernel.hpp>
#include <tessera/kernel/when.hpp>
#include <tessera/manual/manual.hpp>
#include <tessera/op/ops.hpp>
#include <tessera/plan/explain/explain.hpp>
#include <tessera/plan/make/make_plan.hpp>
#include <tessera/random/random.hpp>
#include <tessera/trace/tree_arithmetic.hpp>
#include <tessera/trace/tree_text.hpp>
#include <tessera/trace/why.hpp>
#include <tessera/train/train.hpp>
#include <tessera/transform/axis_kinds.hpp>
#include <tessera/transform/batch.hpp>
#include <tessera/transform/custom_jvp.hpp>
#include <tessera/transform/custom_vjp.hpp>
#include <tessera/transform/device_put.hpp>
#include <tessera/transform/grad.hpp>
#include <tessera/transform/jacobian.hpp>
#include <tessera/transform/jvp.hpp>
#include <tessera/transform/linear_transpose.hpp>
#include <tessera/transform/named_scope.hpp>
#include <tessera/transform/ravel_pytree.hpp>
#include <tessera/transform/shardings.hpp>
#include <tessera/transform/vjp.hpp>
#include <tessera/transform/vmap.hpp>

#ifndef TESSERA_SEPARATE_ENGINE
#include <tessera/engine/plan/explain/explain.hpp>
#endif
