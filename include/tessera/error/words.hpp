// SPDX-License-Identifier: Apache-2.0
#pragma once
// What an error's words are made of. Each reason's are in error/<reason>.hpp, a specialization of `words` with
//   type<Facts...>                  its error type
//   what(text, told)                what is wrong, as one sentence with the names and numbers in it
//   fix(text, told, repair)         what to write instead
//   numbers<Size, Other, Repaired, Element>()   what verdict::size and other mean in it, as facts; where they mean something

#include <tessera/aval/describe.hpp>
#include <tessera/aval/number.hpp>
#include <tessera/error/repair.hpp>
#include <tessera/error/say.hpp>

namespace tessera::error {

// Facts in the making.
template <class... F>
struct facts {};
template <class... L, class... R>
constexpr facts<L..., R...> operator+(facts<L...>, facts<R...>) {
  return {};
}

template <reason Why>
struct words;

// verdict::other of number_out_of_range, beside number_value::form.
inline constexpr std::int64_t not_a_number = 3;

struct told {
  verdict const& what;
  std::string_view op;
  array_value const* lhs;
  array_value const* rhs;
  mesh_value const& mesh;
};

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

// The reshard that makes the operation lawful, or `otherwise` where none is known.
template <class Text>
constexpr void say_reshard_first(Text& text, told const& t, repair const& found, std::string_view otherwise) {
  if (found.which < 0) {
    text += otherwise;
    return;
  }
  say_reshard(text, t, found);
  text += " first";
}

// What makes one type of lhs, which a loop began with, and rhs, which came back. Of a loop, carried, what begins whole and comes
// back split begins split.
template <class Text>
constexpr void say_one_type(Text& text, told const& t, std::string_view begin, std::string_view back,
                            bool carried = false) {
  if (!t.lhs || !t.rhs) return say(text, "bring ", begin, " and ", back, " to one type");
  axis_set const more = t.rhs->varying - t.lhs->varying, fewer = t.lhs->varying - t.rhs->varying;
  if (!t.lhs->same_shape(*t.rhs)) return say(text, "give ", back, " the shape that it began with");
  bool const same = t.lhs->element == t.rhs->element && t.lhs->same_spec(*t.rhs);
  bool const begins_split = carried && !same && t.lhs->element == t.rhs->element && t.lhs->sharded_axes().empty();
  if (t.lhs->element != t.rhs->element) {
    say(text, "astype<", name_of(t.lhs->element), ">");
  } else if (!same) {
    text += "reshard<";
    say_spec(text, begins_split ? *t.rhs : *t.lhs, t.mesh);
    text += '>';
  } else if (!(more | fewer).empty()) {
    text += "pvary<";
    say_axes(text, more.empty() ? fewer : more, t.mesh);
    text += '>';
  } else {
    text += "psum";
  }
  say(text, "(", begins_split || (same && !more.empty()) ? begin : back, ")");
}

}  // namespace detail

}  // namespace tessera::error
