// SPDX-License-Identifier: Apache-2.0
// The parameters of operations: read as what they are, or not at all.

#include <tessera/rule/input.hpp>

#include <limits>

namespace {

using namespace tessera;

template <class F, int = (static_cast<void>(F{}()), 0)>
constexpr bool is_constant(F) {
  return true;
}
constexpr bool is_constant(...) { return false; }

enum class side : std::uint8_t { left, right };
struct own_params {
  dimension dim{-1};
  extents_list sizes{};
  double factor = 0;
  side at = side::left;
  axis_set axes{};
  std::int32_t const* table = nullptr;
  static constexpr void fields(auto& p, auto&& each) { each(p.dim, p.sizes, p.factor, p.at, p.axes, p.table); }
};
struct other_params {
  std::int64_t dim = -1;
  static constexpr void fields(auto& p, auto&& each) { each(p.dim); }
};
static_assert(OwnParams<own_params> && !OwnParams<slice_params> && !OwnParams<int>);

constexpr attributes sliced() { return slice_params{{1, 2}, {3, 4}, {1, 1}}; }
static_assert(sliced().kind() == params_kind::slice && sliced().as<slice_params>().limit[1] == 4);
static_assert(is_constant([] { return sliced().as<slice_params>().start.size(); }));
static_assert(!is_constant([] { return sliced().as<pad_params>().low.size(); }));
static_assert(!is_constant([] { return sliced().as<own_params>().at; }));

constexpr std::int32_t numbers[]{2, 7, 8};
constexpr attributes of_own() { return own_params{2, {4, 5}, -0.0, side::right, axis_set::of(3), numbers}; }
static_assert([] {
  own_params const p = of_own().as<own_params>();
  return p.dim == 2 && p.sizes == extents_list{4, 5} && std::bit_cast<std::int64_t>(p.factor) < 0 &&
         p.at == side::right && p.axes.contains(3) && p.table[2] == 8;
}());
static_assert(!is_constant([] { return of_own().as<other_params>().dim; }));
static_assert(!is_constant([] { return of_own().as<slice_params>().start.size(); }));
// With a dimension in front of the operands': the positions of dimensions count on, the last one stays the last.
static_assert(of_own().counted_on().as<own_params>().dim == 3 &&
              attributes(own_params{}).counted_on().as<own_params>().dim == -1 &&
              attributes(other_params{2}).counted_on().as<other_params>().dim == 2);

// Nothing given: what the record says then.
static_assert(attributes{}.as<slice_in_dim_params>().stride == 1 && attributes{}.as<own_params>().dim == -1);

// Equal where the records are; numbers by their bits.
constexpr attributes number(double value) {
  literal_params made;
  made.number = value;
  return made;
}
static_assert(sliced() == sliced() && of_own() == of_own() && !(sliced() == of_own()) && !(sliced() == attributes{}));
static_assert(!(number(0.0) == number(-0.0)) &&
              number(std::numeric_limits<double>::quiet_NaN()) == number(std::numeric_limits<double>::quiet_NaN()));
static_assert(!(attributes(slice_params{{1}, {2}, {1}}) == attributes(slice_params{{1}, {2}, {2}})));
static_assert(!(attributes(cast_params{}, spec_value{1}) == attributes(cast_params{})) &&
              attributes(cast_params{}, spec_value{1}) == attributes(cast_params{}, spec_value{1}));

// What changes is the record, not the layout asked for.
static_assert([] {
  attributes attrs{broadcast_params{{}, {4}}, spec_value{1}};
  attrs.set(reshape_params{{4}});
  return attrs.kind() == params_kind::reshape && attrs.has_out && attrs.out == spec_value{1};
}());

}  // namespace
