// SPDX-License-Identifier: Apache-2.0
#pragma once
// The Fix of each reason, with the names and numbers in it.

#include <tessera/error/sentence.hpp>

namespace tessera::error {

namespace detail {

// What makes one type of lhs, which a loop began with, and rhs, which came back.
template <class Text>
constexpr void say_one_type(Text& text, told const& t, std::string_view begin, std::string_view back) {
  if (!t.lhs || !t.rhs) return say(text, "bring ", begin, " and ", back, " to one type");
  axis_set const more = t.rhs->varying - t.lhs->varying, fewer = t.lhs->varying - t.rhs->varying;
  if (!t.lhs->same_shape(*t.rhs)) return say(text, "give ", back, " the shape that it began with");
  bool const same = t.lhs->element == t.rhs->element && t.lhs->same_spec(*t.rhs);
  if (t.lhs->element != t.rhs->element) {
    say(text, "astype<", name_of(t.lhs->element), ">");
  } else if (!same) {
    text += "reshard<";
    say_spec(text, *t.lhs, t.mesh);
    text += '>';
  } else if (!(more | fewer).empty()) {
    text += "pvary<";
    say_axes(text, more.empty() ? fewer : more, t.mesh);
    text += '>';
  } else {
    text += "psum";
  }
  say(text, "(", same && !more.empty() ? begin : back, ")");
}

}  // namespace detail

// What to write instead, and what that moves.
template <class Text>
constexpr void say_fix(Text& text, told const& t) {
  verdict const& v = t.what;
  auto const found = t.lhs ? repair_of(v, *t.lhs, t.rhs, 1, t.mesh) : repair{};
  switch (v.why) {
    case reason::none: text += "nothing to do."; break;
    case reason::axis_used_twice:
    case reason::dims_disagree:
    case reason::unreduced_operand:
    case reason::sharded_dim_unsupported:
      if (found.which >= 0) {
        detail::say_reshard(text, t, found);
        text += " first";
      } else {
        text += v.why == reason::axis_used_twice ? "name each axis once in P<...>" : "reshard<P<...>>(operand) first";
      }
      break;
    case reason::axis_not_in_mesh: text += "name an axis of the mesh, or add this one to it"; break;
    case reason::spec_too_long: text += "at most one entry for each dimension; axes<a, b> splits one over two"; break;
    case reason::not_divisible:
      if (found.which >= 0) {
        detail::say_reshard(text, t, found);
        text += " first, or take a part of each device's block, inside shard_map";
        break;
      }
      say(text, "pad it to ", (v.size + v.other - 1) / v.other * v.other,
          " elements, or leave it whole: none in its place");
      break;
    case reason::uneven_unsupported:
      if (found.which >= 0) {
        detail::say_reshard(text, t, found);
        text += " first, or ";
      }
      say(text, "pad_to_multiple<", v.lhs_dim, ", ", v.other, ">(", !t.rhs ? "x" : v.operand > 0 ? "rhs" : "lhs", ")");
      break;
    case reason::not_one_per_device:
      say(text, "give it ", v.other, " elements, or say tiled as the last argument, if ", v.other, " divides it");
      break;
    case reason::turns_as_argument: text += "scan<10>(f, init)"; break;
    case reason::auto_axis_named:
      text += "leave the axis out (with_sharding_constraint guides Auto axes), or make it explicit_axis in the mesh";
      break;
    case reason::unconstrained_dim:
      text += "none, or an axis, in its place; over Auto axes with_sharding_constraint leaves it to the planner";
      break;
    case reason::shapes_disagree:
      text += "make these extents equal; often a transpose, reshape or expand_dims is missing";
      break;
    case reason::ranks_disagree:
      text += "reshape, expand_dims or squeeze an operand, or give one parameter for each dimension";
      break;
    case reason::needs_out_sharding:
      if (v.rhs_dim < 0)
        say(text, "choose the result's layout: out_sharding<P<...>> as the last argument of ", t.op, ", get or set");
      else
        detail::say_sums(text, t, found);
      break;
    case reason::ambiguous_reshape:
      text += "choose the result's layout: reshape<...>(x, out_sharding<P<...>>), or ";
      detail::say_reshard(text, t, found);
      text += " first";
      break;
    case reason::dim_out_of_range: text += "name each dimension once, from 0 to rank - 1, or from the end: -1"; break;
    case reason::elements_disagree:
    case reason::element_unsupported: text += "bring it to a type that fits: astype<float>(x)"; break;
    case reason::meshes_differ: text += "bring them onto one mesh: device_put<P<...>>(x, mesh)"; break;
    case reason::grad_of_non_scalar: text += "reduce it first: sum(y) or mean(y)"; break;
    case reason::not_differentiable: text += "take its operand from outside of the differentiated arguments"; break;
    case reason::malformed_einsum:
      text += "one letter for each dimension of each operand, and after -> only letters that occur before it";
      break;
    case reason::index_out_of_range: text += "stay between 0 and the extent; a stride is not 0"; break;
    case reason::no_elements: text += "at least one element; or concatenate one first"; break;
    case reason::number_out_of_range:
      say(text, "a number from ", lowest_integer(v.result.element), " to ");
      say_number(text, highest_number(v.result.element));
      text += ", or astype<T>(x) to a type that holds it";
      break;
    case reason::axis_not_manual:
      text += (v.axes & t.mesh.axes()).empty()
                  ? "name one of these, or add the axis to the mesh; collectives stand inside shard_map over it"
                  : "use it inside shard_map over that axis; name in shard_map's specs only axes that it runs over";
      break;
    case reason::in_specs_differ: text += "reshard<P<...>>(x) first, or leave in_specs out"; break;
    case reason::result_varies:
      text += "name the axis in the spec, or make it the same everywhere: psum<axis>(y)";
      break;
    case reason::carry_differs: detail::say_one_type(text, t, "init", "what the body returns"); break;
    case reason::branches_differ:
      detail::say_one_type(text, t, "what the first returns", "what this one returns");
      break;
    case reason::collective_in_branch:
      text += "do the collective outside, or make the predicate the same everywhere: pmax<axis>(pred)";
      break;
    case reason::partly_varying: text += "sum over the latter, or pvary<axis>(x) first, to count copies"; break;
    case reason::mask_as_index:
      text += "keep the shape and choose by value: where(mask, x, 0), or where(mask, v, x) to write";
      break;
    case reason::value_as_condition:
      text += "where(pred, x, y) or cond(pred, f, g, x) for if, while_loop for while, logical_and for &&";
      break;
    case reason::malformed_cast:
      text += "to_unreduced of what varies, to_reduced of what is the same; psum<axis>(x) first";
      break;
    case reason::not_mappable: text += "write the batch dimension out, or move the operation out of vmap"; break;
    case reason::result_mapped:
      text += "give it a dimension: out_axes<0>, or make it the same for all: psum<axis>(y)";
      break;
    case reason::malformed_permutation: text += "each device from 0 to n - 1 at most once on either side"; break;
    case reason::malformed_groups:
      text += "each device in one group, all of one size (psum, pmax, pmin: of any)";
      break;
    case reason::left_in_flight:
    case reason::awaited_twice: text += "one done for each start, in the same function or loop body"; break;
    case reason::key_used_twice:
      text += "auto [a, b] = random::split(key), a key for each; random::clone(key) for the same numbers once more";
      break;
    case reason::not_an_array: text += "pass an array, a traced value or a number"; break;
    case reason::captured_array: text += "pass the array as an argument of the traced function"; break;
    case reason::function_with_state: text += "pass what it captures as arguments"; break;
    case reason::specs_miscounted: text += "as many entries as there are arguments, or results in the tuple"; break;
    case reason::not_constexpr:
      text += "constexpr operator(); ts::sin(x) for std::sin(x), debug_print for std::cout";
      break;
    case reason::assignment_changes_type:
      text += "a name of its own: auto y = ...; or reshard<P<...>>(y), astype<T>(y)";
      break;
    case reason::not_callable: text += "give it as many arguments as it takes, in its order"; break;
    case reason::manual_axis_changed: text += "name the axes that are not mapped over: axis_names<...>"; break;
    case reason::shardings_missing:
      text += "auto_axes<out_shardings<P<...>>>(f), explicit_axes<in_shardings<P<...>>>(f)";
      break;
    case reason::axis_not_auto:
    case reason::constraint_differs: text += "reshard<P<...>>(x) changes a layout over Explicit axes"; break;
  }
  if (found.bytes > 0) say(text, "; that moves at most ", found.bytes, " bytes per device");
  text += '.';
}

}  // namespace tessera::error
