// SPDX-License-Identifier: Apache-2.0
#pragma once
// What each reason says of a refusal, with the names and numbers in it.

#include <tessera/aval/describe.hpp>
#include <tessera/aval/number.hpp>
#include <tessera/error/repair.hpp>

namespace tessera::error {

// verdict::other of number_out_of_range, beside number_value::form.
inline constexpr std::int64_t not_a_number = 3;

struct told {
  verdict const& what;
  std::string_view op;
  array_value const* lhs;
  array_value const* rhs;
  mesh_value const& mesh;
};

struct extent_text {
  std::int64_t value;
};

// Appends texts and numbers in turn.
template <class Text, class... Parts>
constexpr void say(Text& text, Parts const&... parts) {
  auto const one = [&]<class Part>(Part const& part) {
    if constexpr (std::is_convertible_v<Part const&, std::string_view>)
      text += std::string_view(part);
    else if constexpr (!std::is_same_v<Part, extent_text>)
      append_number(text, part);
    else if (part.value == dynamic)
      text += '?';
    else
      append_number(text, part.value);
  };
  (one(parts), ...);
}

template <class Text>
constexpr void say_axes(Text& text, axis_set axes, mesh_value const& mesh, bool with_sizes = false) {
  bool first = true;
  for (int a = 0; a < mesh.rank; ++a)
    if (axes.contains(a)) {
      if (!first) text += ", ";
      first = false;
      text += mesh.name(a);
      if (with_sizes) say(text, ": ", extent_text{mesh.size(a)});
    }
  if (first) text += "none";
}

template <class Text>
constexpr void say_mesh(Text& text, mesh_value const& mesh) {
  if (mesh.rank == 0) return;
  text += " on mesh (";
  say_axes(text, mesh.axes(), mesh, true);
  text += ')';
}

// P<dp, none, axes<dp, mp>>, trailing `none`s left out.
template <class Text>
constexpr void say_spec(Text& text, array_value const& x, mesh_value const& mesh) {
  int last = x.rank;
  while (last > 0 && x.entry(last - 1).empty()) --last;
  text += "P<";
  for (int d = 0; d < last; ++d) {
    if (d) text += ", ";
    int const n = x.entry(d).count();
    if (n == 0) text += "none";
    if (n > 1) text += "axes<";
    for (int k = 0; k < n; ++k) say(text, k ? ", " : "", mesh.name(x.entry(d).axis(k)));
    if (n > 1) text += '>';
  }
  text += '>';
}

namespace detail {

template <class Text>
constexpr void say_shape(Text& text, array_value const& x) {
  text += '(';
  for (int d = 0; d < x.rank; ++d) say(text, d ? ", " : "", extent_text{x.extent(d)});
  text += ')';
}

template <class Text>
constexpr void say_where(Text& text, verdict const& v) {
  if (v.lhs_dim >= 0 && v.rhs_dim >= 0)
    say(text, "dimension ", v.lhs_dim, " of lhs and dimension ", v.rhs_dim, " of rhs");
  else if (v.lhs_dim >= 0)
    say(text, "dimension ", v.lhs_dim);
  else
    text += "a dimension";
}

template <class Text>
constexpr void say_reshard(Text& text, told const& t, repair const& found) {
  text += "reshard<";
  say_spec(text, found.layout, t.mesh);
  say(text, ">(", !t.rhs ? "x" : found.which == 0 ? "lhs" : "rhs", ")");
}

// The layouts that a contraction of split dimensions may have.
template <class Text>
constexpr void say_sums(Text& text, told const& t, repair const& found) {
  say(text, "choose the result's layout: ", t.op, "(lhs, rhs, out_sharding<");
  if (found.whole_sum)
    say_spec(text, found.layout, t.mesh);
  else
    text += "P<...>";
  text += ">) adds the parts up";
  if (!found.shared_sum) return;
  text += " on each device, out_sharding<";
  say_spec(text, found.shares, t.mesh);
  text += "> leaves each a share of the sum for half of the bytes";
}

// The axes that split the dimension at fault on either side, where they are known.
template <class Text>
constexpr void say_disagreement(Text& text, told const& t) {
  verdict const& v = t.what;
  int const left =
      v.rhs_dim >= 0 || !t.rhs ? v.lhs_dim : v.lhs_dim - (t.rhs->rank > t.lhs->rank ? t.rhs->rank - t.lhs->rank : 0);
  int const right =
      v.rhs_dim >= 0 || !t.rhs ? v.rhs_dim : v.lhs_dim - (t.lhs->rank > t.rhs->rank ? t.lhs->rank - t.rhs->rank : 0);
  say_where(text, v);
  if (t.lhs && t.rhs && left >= 0 && right >= 0 && left < t.lhs->rank && right < t.rhs->rank) {
    text += v.rhs_dim >= 0 ? " are split over " : " is split over ";
    say_axes(text, t.lhs->entry(left).axes(), t.mesh);
    text += " by lhs and over ";
    say_axes(text, t.rhs->entry(right).axes(), t.mesh);
    text += " by rhs.";
  } else {
    text += " has two different layouts, over ";
    say_axes(text, v.axes, t.mesh);
    text += '.';
  }
}

template <class Text>
constexpr void say_extents(Text& text, verdict const& v) {
  if (v.lhs_dim >= 0) {
    say_where(text, v);
    say(text, v.rhs_dim >= 0 ? " have " : " has ", v.size, " and ", v.other, " elements, which should be equal.");
  } else {
    say(text, v.size, " elements do not fill the shape ");
    say_shape(text, v.result);
    say(text, ", which has ", v.other, ".");
  }
}

}  // namespace detail

// What is wrong, as one sentence.
template <class Text>
constexpr void say_what(Text& text, told const& t) {
  verdict const& v = t.what;
  switch (v.why) {
    case reason::none: text += "nothing is wrong."; break;
    case reason::axis_used_twice:
      say_axes(text, v.axes, t.mesh);
      text += " would split two dimensions of the same array.";
      break;
    case reason::axis_not_in_mesh:
      text += "the spec names an axis that the mesh does not have; it has ";
      say_axes(text, t.mesh.axes(), t.mesh);
      text += '.';
      break;
    case reason::spec_too_long:
      say(text, "the spec has ", v.size, " entries and the array ", v.other, " dimensions.");
      break;
    case reason::not_divisible:
      detail::say_where(text, v);
      say(text, " has ", v.size, " elements, which the ", v.other, " devices over ");
      say_axes(text, v.axes, t.mesh);
      text += " do not divide.";
      break;
    case reason::auto_axis_named:
      text += "the spec names ";
      say_axes(text, v.axes, t.mesh);
      text += ", not an Explicit axis.";
      break;
    case reason::unconstrained_dim:
      say(text, "the spec leaves dimension ", v.lhs_dim, " unconstrained, where layouts are said.");
      break;
    case reason::dims_disagree: detail::say_disagreement(text, t); break;
    case reason::shapes_disagree: detail::say_extents(text, v); break;
    case reason::ranks_disagree: say(text, v.size, " and ", v.other, " dimensions do not fit each other."); break;
    case reason::needs_out_sharding:
      detail::say_where(text, v);
      if (v.rhs_dim < 0) {
        text += " is split over ";
        say_axes(text, v.axes, t.mesh);
        text += " and is read across devices, which leaves the result's layout open.";
        break;
      }
      text += ", which are contracted, are both split over ";
      say_axes(text, v.axes, t.mesh);
      text += ": each device holds only a part of the sum.";
      break;
    case reason::ambiguous_reshape:
      say_axes(text, v.axes, t.mesh);
      text += " may split several dimensions of the new shape ";
      detail::say_shape(text, v.result);
      text += '.';
      break;
    case reason::sharded_dim_unsupported:
      detail::say_where(text, v);
      text += " is split over ";
      say_axes(text, v.axes, t.mesh);
      text += ", and has to be whole on every device.";
      break;
    case reason::not_one_per_device:
      detail::say_where(text, v);
      say(text, " has ", v.size, " elements and, not tiled, should have exactly ", v.other,
          ", one for each device over ");
      say_axes(text, v.axes, t.mesh);
      text += '.';
      break;
    case reason::turns_as_argument: text += "a number of turns stands where arrays to go over should."; break;
    case reason::uneven_unsupported:
      detail::say_where(text, v);
      say(text, " has ", v.size, " elements in blocks for ", v.other, " over ");
      say_axes(text, v.axes, t.mesh);
      text += ", and no rule says what becomes of those that are not there.";
      break;
    case reason::unreduced_operand:
      text += "a partial sum over ";
      say_axes(text, v.axes, t.mesh);
      text += " stands where its finished value is needed.";
      break;
    case reason::dim_out_of_range:
      say(text, "dimension ", v.size, " is named twice or not one of the ", v.other, ".");
      break;
    case reason::elements_disagree: text += "the operands have different element types."; break;
    case reason::element_unsupported:
      text += "it is not defined for ";
      text += t.lhs ? name_of(t.lhs->element) : "this element type";
      text += '.';
      break;
    case reason::meshes_differ: text += "the operands live on different meshes."; break;
    case reason::grad_of_non_scalar: text += "the function's result is not one floating scalar."; break;
    case reason::not_differentiable: text += "a gradient would pass through it, and it has none."; break;
    case reason::malformed_einsum: text += "the subscripts do not fit the operands."; break;
    case reason::index_out_of_range:
      say(text, "index ", v.size, " is beyond ");
      detail::say_where(text, v);
      say(text, ", which has ", v.other, " elements.");
      break;
    case reason::no_elements:
      text += "one of the elements along ";
      detail::say_where(text, v);
      text += " is asked for, and there are none.";
      break;
    case reason::number_out_of_range:
      if (v.other == static_cast<std::int64_t>(number_value::form::natural))
        say_number(text, {number_value::form::natural, 0, v.size});
      else if (v.other == not_a_number)
        text += "nan";
      else
        say(text, v.other == static_cast<std::int64_t>(number_value::form::real) ? "about " : "", v.size);
      say(text, " does not fit ", name_of(v.result.element), ".");
      break;
    case reason::axis_not_auto:
      text += "the spec names ";
      say_axes(text, v.axes, t.mesh);
      text += ", not an Auto axis.";
      break;
    case reason::axis_not_manual:
      if ((v.axes & t.mesh.axes()).empty()) {
        text += "it names an axis that is not Manual here; the mesh has ";
        say_axes(text, t.mesh.axes(), t.mesh);
        text += '.';
        break;
      }
      say_axes(text, v.axes, t.mesh);
      text += " is not Manual here.";
      break;
    case reason::in_specs_differ:
      detail::say_where(text, v);
      text += " is not split as in_specs say; ";
      say_axes(text, v.axes, t.mesh);
      text += " is named there or splits it.";
      break;
    case reason::result_varies:
      text += "the result differs between devices over ";
      say_axes(text, v.axes, t.mesh);
      text += ", which its out_spec leaves out.";
      break;
    case reason::carry_differs:
      text += "the loop's body returns a carried value of another type than it began with";
      if (v.size > 0) say(text, ", number ", v.size, " of the carry counted from 0");
      text += '.';
      break;
    case reason::branches_differ: text += "a branch returns a value of another type than the first one."; break;
    case reason::collective_in_branch:
      text += "devices choose differently along ";
      say_axes(text, v.axes, t.mesh);
      text += ", over which this collective joins them.";
      break;
    case reason::partly_varying:
      text += "the value is the same on all devices over ";
      say_axes(text, v.axes, t.mesh);
      text += " and differs over the other axes of the sum.";
      break;
    case reason::malformed_cast:
      text += "the value is in another state over ";
      say_axes(text, v.axes, t.mesh);
      text += ".";
      break;
    case reason::not_mappable: text += "vmap has no rule for it on these operands."; break;
    case reason::result_mapped: text += "the result differs along the mapped axis, and out_axes leave it out."; break;
    case reason::malformed_permutation:
      say(text, "device ", v.size, " is not one of ", v.other, ", or it sends or receives twice.");
      break;
    case reason::malformed_groups:
      say(text, "device ", v.size, " of ", v.other, " is in no group, in two, or in one of another size.");
      break;
    case reason::left_in_flight: text += "it was started here, and is not waited for where it began."; break;
    case reason::awaited_twice: text += "it was started here once, and is waited for more than once."; break;
    case reason::key_used_twice:
      text +=
          "random numbers, or keys, were made of this key before, or are in each turn of a loop: they would be the same.";
      break;
    case reason::mask_as_index:
      text += "an array of bool stands as an index: how many elements it picks is known only when it runs.";
      break;
    case reason::value_as_condition:
      text +=
          "its result stands where C++ decides at once (if, while, &&, !), and is known only when the program runs.";
      break;
    case reason::not_an_array: text += "what stands here is neither an array nor a number."; break;
    case reason::captured_array: text += "traced code met an array that is not one of its arguments."; break;
    case reason::function_with_state:
      text += "the traced function holds state: a lambda that captures, or members.";
      break;
    case reason::specs_miscounted:
      say(text, "there are ", v.size, " entries for ", v.other, " arguments or results.");
      break;
    case reason::not_constexpr: text += "the traced function is not constexpr, or calls what is not."; break;
    case reason::assignment_changes_type:
      text += "its result, of another type (rhs), is assigned to a variable (lhs).";
      break;
    case reason::not_callable: text += "the traced function cannot be called with these arguments."; break;
    case reason::manual_axis_changed: text += "the axis is Manual here: code sees one device's block."; break;
    case reason::shardings_missing: text += "nothing says how values cross its border."; break;
    case reason::constraint_differs:
      text += "the array does not have the asserted layout, and no planner may change it: all its axes are Explicit.";
      break;
  }
}

}  // namespace tessera::error
