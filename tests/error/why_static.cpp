// SPDX-License-Identifier: Apache-2.0
// why<F, Args...> names the refusal: each error type once, void where nothing is wrong, the first mistake of several.

#include <tessera/tessera.hpp>

#include <string>

namespace why_cases {
using namespace tessera;

struct dp : axis {};
struct mp : axis {};
struct elsewhere : axis {};
using grid = mesh<explicit_axis<dp, 4>, explicit_axis<mp, 2>>;
using mixed = mesh<explicit_axis<dp, 4>, auto_axis<mp, 2>>;
using other = mesh<explicit_axis<dp, 2>, explicit_axis<mp, 4>>;
using unseen = mesh<auto_axis<dp, 4>, auto_axis<mp, 2>>;

template <class Shape, class Spec, class Element = float, class M = grid>
using of = array_type<Element, Shape, Spec, M>;
using x = of<shape<8, 4>, P<dp>>;
using both = of<shape<8, 4>, P<dp, mp>>;
using whole = of<shape<8, 4>, P<>>;
using loose = of<shape<8, 4>, P<dp>, float, mixed>;

template <template <class...> class Error, class X>
inline constexpr bool is = false;
template <template <class...> class Error, class... Facts>
inline constexpr bool is<Error, Error<Facts...>> = true;
template <class Fact, class Error>
inline constexpr bool says = false;
template <class Fact, template <class...> class Error, class... Facts>
inline constexpr bool says<Fact, Error<Facts...>> = (std::is_same_v<Fact, Facts> || ...);

// One function of each name; its expression is the whole program.
#define FUNCTION(name, arguments, ...)                                  \
  struct name {                                                         \
    constexpr auto operator() arguments const { return (__VA_ARGS__); } \
  }

FUNCTION(plus, (auto a, auto b), a + b);
static_assert(std::is_void_v<why<plus, x, x>>);
static_assert(is<error::dims_disagree, why<plus, x, of<shape<8, 4>, P<mp>>>>);
static_assert(says<error::over<dp, mp>, why<plus, x, of<shape<8, 4>, P<mp>>>>);
static_assert(is<error::axis_used_twice, why<plus, x, of<shape<8, 4>, P<none, dp>>>>);
static_assert(is<error::shapes_disagree, why<plus, x, of<shape<8, 3>, P<>>>>);
static_assert(says<error::extents<4, 3>, why<plus, x, of<shape<8, 3>, P<>>>>);
static_assert(is<error::meshes_differ, why<plus, x, of<shape<8, 4>, P<dp>, float, other>>>);
static_assert(is<error::not_callable, why<plus, x>>);
static_assert(is<error::not_an_array, why<plus, x, std::string>>);
static_assert(is<error::not_divisible, why<plus, of<shape<6, 4>, P<dp>>, x>>, "an argument that no array can have");

FUNCTION(product, (auto a, auto b), matmul(a, b));
static_assert(is<error::needs_out_sharding, why<product, both, of<shape<4, 2>, P<mp>>>>);
static_assert(is<error::ranks_disagree, why<product, x, of<shape<>, P<>>>>);
FUNCTION(added_pending, (auto a, auto b), tessera::exp(matmul(a, b, out_sharding<P<dp, none, unreduced<mp>>>)));
static_assert(is<error::unreduced_operand, why<added_pending, both, of<shape<4, 2>, P<mp>>>>);

FUNCTION(regrouped, (auto a), reshape<4, 8>(a));
static_assert(is<error::ambiguous_reshape, why<regrouped, both>>);
static_assert(std::is_void_v<why<regrouped, whole>>);
FUNCTION(repeated, (auto a), tile<2, 1>(a));
static_assert(is<error::sharded_dim_unsupported, why<repeated, x>>);
FUNCTION(summed, (auto a), sum<2>(a));
static_assert(is<error::dim_out_of_range, why<summed, x>>);
static_assert(says<error::of_rank<2>, why<summed, x>>);
FUNCTION(cut, (auto a), slice_in_dim<0, 0, 9>(a));
static_assert(is<error::index_out_of_range, why<cut, x>>);
FUNCTION(letters, (auto a), einsum<"ij->k">(a));
static_assert(is<error::malformed_einsum, why<letters, x>>);
FUNCTION(moved_away, (auto a), reshard<P<elsewhere>>(a));
static_assert(is<error::axis_not_in_mesh, why<moved_away, x>>);
FUNCTION(laid_out_too_far, (auto a), reshard<P<dp, none, mp>>(a));
static_assert(is<error::spec_too_long, why<laid_out_too_far, x>>);
FUNCTION(flipped_sign, (auto a), -(a > 0));
static_assert(is<error::element_unsupported, why<flipped_sign, x>>);
FUNCTION(written, (auto a, auto part), update_slice(a, part, starts<0, 0>));
static_assert(is<error::elements_disagree, why<written, x, of<shape<8, 4>, P<dp>, int32>>>);

FUNCTION(named, (auto a), reshard<P<dp, mp>>(a));
static_assert(is<error::auto_axis_named, why<named, loose>>);
static_assert(std::is_void_v<why<named, x>>);
FUNCTION(wished, (auto a), with_sharding_constraint<P<dp>>(a));
static_assert(is<error::axis_not_auto, why<wished, loose>>);
static_assert(is<error::constraint_differs, why<wished, whole>>);
static_assert(std::is_void_v<why<wished, x>>);
static_assert(std::is_void_v<detail::call_refused<plus, loose, loose>>);
FUNCTION(wished_in_part, (auto a), with_sharding_constraint<P<unconstrained, mp>>(a));
static_assert(std::is_void_v<why<wished_in_part, loose>>);
static_assert(is<error::unconstrained_dim, why<wished_in_part, x>>);
FUNCTION(wished_of_too_many, (auto a), with_sharding_constraint<P<mp, unconstrained, unconstrained>>(a));
static_assert(is<error::spec_too_long, why<wished_of_too_many, loose>>);
FUNCTION(moved_in_part, (auto a), reshard<P<unconstrained>>(a));
static_assert(is<error::unconstrained_dim, why<moved_in_part, loose>>);
FUNCTION(mapped_in_part, (auto a),
         shard_map<in_specs<P<unconstrained>>, out_specs<P<dp>>>([](auto block) { return block; })(a));
static_assert(is<error::unconstrained_dim, why<mapped_in_part, x>>);

FUNCTION(squared, (auto a), a* a);
FUNCTION(slope_of_many, (auto a), grad(squared{})(a));
static_assert(is<error::grad_of_non_scalar, why<slope_of_many, x>>);
FUNCTION(left_over, (auto a), sum(shard_map<out_specs<P<>>>([](auto block) { return pmax<dp>(block); })(a)));
FUNCTION(slope_of_step, (auto a), grad(left_over{})(a));
static_assert(is<error::not_differentiable, why<slope_of_step, x>>);
static_assert(std::is_void_v<why<left_over, x>>);

// A region, or a loop, that gets nothing but what was refused: its own result has its structure, and says nothing new.
FUNCTION(nested_in_refused, (auto a), shard_map<in_specs<P<dp, mp>>, out_specs<P<dp>>, axis_names<dp>>([](auto block) {
           return shard_map<in_specs<P<>>, out_specs<P<>>>([](auto inner) { return inner + ones<float, 4>(); })(block);
         })(a));
static_assert(is<error::axis_not_manual, why<nested_in_refused, both>>);
FUNCTION(scan_in_refused, (auto a), shard_map<in_specs<P<none, axes<dp, mp>>>, out_specs<P<dp, mp>>>([](auto block) {
           auto const turned = scan(
               [](auto sum, auto row) {
                 return std::tuple{sum + row, std::tuple{sum}};
               },
               pcast<dp, mp>(zeros<float, 4>(), to_varying), block);
           return std::get<0>(std::get<1>(turned));
         })(a));
static_assert(is<error::not_divisible, why<scan_in_refused, of<shape<8, 4>, P<>, float, unseen>>>);
FUNCTION(foreign_region, (auto a),
         shard_map<in_specs<P<none, dp>>, out_specs<P<dp>>, axis_names<elsewhere>>([](auto block) {
           return block;
         })(a));
static_assert(is<error::axis_not_in_mesh, why<foreign_region, whole>>);

FUNCTION(put_rows, (auto a, auto at, auto rows), a.at(at).set(rows));
using places = of<shape<4>, P<dp>, int32>;
static_assert(is<error::dims_disagree, why<put_rows, both, places, of<shape<4, 4>, P<mp, dp>>>>);
static_assert(is<error::needs_out_sharding, why<put_rows, both, places, of<shape<4, 4>, P<dp, mp>>>>);
static_assert(is<error::axis_used_twice, why<put_rows, both, of<shape<4>, P<mp>, int32>, of<shape<4, 4>, P<>>>>);
FUNCTION(sum_plus, (auto a, auto b, auto c), matmul(a, b, out_sharding<P<none, none, unreduced<mp>>>) + c);
static_assert(is<error::unreduced_operand,
                 why<sum_plus, of<shape<8, 4>, P<none, mp>>, of<shape<4, 8>, P<mp>>, of<shape<8, 8>, P<dp, mp>>>>,
              "not that mp stands twice");

// A traced value that C++ asks for: of an if, in a region or loop too; loops over it end.
using rows = of<shape<8, 4>, P<dp, none>>;
FUNCTION(positive, (auto a), sum(a) > 0 ? a : -a);
static_assert(is<error::value_as_condition, why<positive, rows>>);
static_assert(says<error::at_line<__LINE__ - 2>, why<positive, rows>>);
FUNCTION(flagged, (auto flag, auto a), flag ? a : -a);
static_assert(is<error::value_as_condition, why<flagged, of<shape<>, P<>, bool>, rows>>);
FUNCTION(both_signs, (auto a), where((min(a) < 0) && !(max(a) < 0), a, -a));
static_assert(is<error::value_as_condition, why<both_signs, rows>>);
FUNCTION(slope_of_positive, (auto a), grad([](auto b) { return sum(positive{}(b)); })(a));
static_assert(is<error::value_as_condition, why<slope_of_positive, rows>>);
FUNCTION(positive_rows, (auto a), vmap(positive{})(a));
static_assert(is<error::value_as_condition, why<positive_rows, rows>>);
FUNCTION(positive_blocks, (auto a), shard_map<out_specs<P<dp>>>(positive{})(a));
static_assert(is<error::value_as_condition, why<positive_blocks, rows>>);
FUNCTION(positive_sums, (auto a),
         std::get<0>(scan(
             [](auto sum, auto row) {
               return std::tuple{positive{}(sum + row), sum};
             },
             zeros<float, 4>(), a)));
static_assert(is<error::value_as_condition, why<positive_sums, of<shape<8, 4>, P<none, none>>>>);
struct halved_until_small {
  constexpr auto operator()(auto a) const {
    while (sum(a) > 1) a = a / 2;
    while (!(sum(a) < 1)) a = a / 2;
    for (int i = 0; i < sum(a); ++i) a = a * 2;
    return a;
  }
};
static_assert(is<error::value_as_condition, why<halved_until_small, rows>>);

// A traced value that is read as an array in memory, as any of its members, in a region or loop too; loops over it end.
FUNCTION(as_number, (auto a), a* float(sum(a)));
static_assert(is<error::value_on_host, why<as_number, rows>>);
static_assert(says<error::at_line<__LINE__ - 2>, why<as_number, rows>>);
FUNCTION(as_item, (auto a), a* sum(a).item());
static_assert(is<error::value_on_host, why<as_item, rows>>);
FUNCTION(slope_of_item, (auto a), grad([](auto b) { return sum(as_item{}(b)); })(a));
static_assert(is<error::value_on_host, why<slope_of_item, rows>>);
FUNCTION(items_of_rows, (auto a), vmap(as_item{})(a));
static_assert(is<error::value_on_host, why<items_of_rows, rows>>);
struct read_otherwise {
  constexpr auto operator()(auto a) const {
    for (auto const& e : a.to_host()) a = a + float(e);
    for (auto const& d : a.devices()) a = a + (d.id() == 0);
    for (auto const& s : a.addressable_shards()) a = a + float(s.shape()[0]);
    auto const copied = device_get(a);
    return a.block_until_ready() == copied ? a : -a;
  }
};
static_assert(is<error::value_on_host, why<read_otherwise, rows>>);
FUNCTION(by_layout, (auto a), a.sharding().is_fully_replicated() || a.device().id() == 0 ? a : -a);
static_assert(is<error::value_on_host, why<by_layout, rows>>);
static_assert(rows::value.size() == 32 && traced<rows>::size() == 32 && traced<rows>::nbytes() == 128);

// An array in host memory, at each kind of operation; it is moved, returned, and passed through loops.
using parked = array_type<float, shape<8, 4>, P<dp, mp>, grid, on_host>;
using unsplit = array_type<float, shape<8, 4>, P<>, grid, on_host>;
FUNCTION(parked_sine, (auto a), softmax(a));
static_assert(is<error::in_host_memory, why<parked_sine, parked>>);
static_assert(says<error::at_line<__LINE__ - 2>, why<parked_sine, parked>>);
FUNCTION(parked_sum, (auto a, auto b), b + a);
static_assert(is<error::in_host_memory, why<parked_sum, parked, rows>>);
FUNCTION(parked_product, (auto a, auto b), matmul(transpose(b), a, out_sharding<P<>>));
static_assert(is<error::in_host_memory, why<parked_product, parked, rows>>);
FUNCTION(parked_total, (auto a), sum(a));
static_assert(is<error::in_host_memory, why<parked_total, parked>>);
FUNCTION(parked_row, (auto a), a.at(0).get());
static_assert(is<error::in_host_memory, why<parked_row, unsplit>>);
FUNCTION(parked_shape, (auto a), reshape<32>(a));
static_assert(is<error::in_host_memory, why<parked_shape, unsplit>>);
FUNCTION(parked_layout, (auto a), reshard<P<>>(a));
static_assert(is<error::in_host_memory, why<parked_layout, parked>>);
FUNCTION(parked_constraint, (auto a), with_sharding_constraint<P<dp, mp>>(a));
static_assert(is<error::in_host_memory, why<parked_constraint, parked>>);
FUNCTION(parked_blocks, (auto a), shard_map<in_specs<P<dp, mp>>, out_specs<P<dp, mp>>>([](auto b) { return b; })(a));
static_assert(is<error::in_host_memory, why<parked_blocks, parked>>);
FUNCTION(parked_slices, (auto a), vmap([](auto b) { return b + 1; })(a));
static_assert(is<error::in_host_memory, why<parked_slices, unsplit>>);
FUNCTION(parked_layers, (auto a),
         std::get<0>(scan(
             [](auto c, auto w) {
               return std::tuple{c + w, c};
             },
             zeros<float, 4>(out_sharding<P<>, grid>), a)));
static_assert(is<error::in_host_memory, why<parked_layers, unsplit>>);
FUNCTION(parked_slope, (auto a), grad([](auto b) { return sum(b); })(a));
static_assert(is<error::in_host_memory, why<parked_slope, parked>>);
FUNCTION(parked_choice, (auto a, auto b),
         cond(
             sum(b) > 0, [&] { return a; }, [&] { return b; }));
static_assert(is<error::branches_differ, why<parked_choice, parked, rows>>);
FUNCTION(moved, (auto a), device_put(relu(device_put(a, on_device{})), on_host{}));
static_assert(std::is_void_v<why<moved, parked>> && std::is_void_v<why<moved, rows>>);

FUNCTION(refused_sign, (auto a), sum<2>(a) > 0 ? a : -a);
static_assert(is<error::dim_out_of_range, why<refused_sign, rows>>);

struct with_state {
  int scale;
  constexpr auto operator()(auto a) const { return a * scale; }
};
static_assert(is<error::function_with_state, why<with_state, x>>);
struct no_array {
  constexpr std::string_view operator()(auto) const { return {}; }
};
static_assert(is<error::not_an_array, why<no_array, x>>);
extern array<whole> const captured;
FUNCTION(with_captured, (auto a), a + captured);
static_assert(is<error::captured_array, why<with_captured, x>>);

// Of carried values that change places, one has to begin as varying; the other is right then.
FUNCTION(swapped, (auto a), shard_map<out_specs<P<dp>>>([](auto block) {
           return std::get<0>(fori_loop(
               0, 3,
               [](auto, auto both) {
                 return std::tuple{std::get<1>(both), std::get<0>(both)};
               },
               std::tuple{block, psum<dp>(block)}));
         })(a));
using own = error::began<float, 2, 4>;
static_assert(is<error::carry_differs, why<swapped, x>>);
static_assert(
    says<error::component<"carry.0", own::P<varying<dp>>, error::returned<float, 2, 4>::P<>>, why<swapped, x>>);
static_assert(
    says<error::component<"carry.1", own::P<>, error::returned<float, 2, 4>::P<varying<dp>>, error::pvary_init<dp>>,
         why<swapped, x>>);
FUNCTION(no_longer_own, (auto a), shard_map<out_specs<P<>>>([](auto block) {
           return fori_loop(
               0, 3, [](auto, auto now) { return psum<dp>(now); }, block);
         })(a));
static_assert(
    says<error::component<"carry", own::P<varying<dp>>, error::returned<float, 2, 4>::P<>, error::pvary_result<dp>>,
         why<no_longer_own, x>>);

// The layout that is named makes the dimensions agree, where one operand is not split, and where they are not the same ones.
FUNCTION(mapped_together, (auto a, auto b), vmap([](auto l, auto r) { return sum(l) + sum(r); })(a, b));
static_assert(says<error::reshard_lhs<P<dp>>, why<mapped_together, whole, both>>);
static_assert(std::is_void_v<why<mapped_together, of<shape<8, 4>, P<dp>>, both>>);
FUNCTION(mapped_across, (auto a, auto b), vmap<in_axes<0, 1>>([](auto l, auto r) { return sum(l) + sum(r); })(a, b));
static_assert(says<error::reshard_lhs<P<mp>>, why<mapped_across, of<shape<4, 8>, P<>>, both>>);
static_assert(std::is_void_v<why<mapped_across, of<shape<4, 8>, P<mp>>, both>>);
FUNCTION(put_together, (auto a, auto b), concatenate<1>(a, b));
static_assert(says<error::reshard_lhs<P<dp>>, why<put_together, whole, x>>);
static_assert(std::is_void_v<why<put_together, x, x>>);

// The first mistake is named, with its line, however much is built on it.
FUNCTION(long_after, (auto a), sum<0>(tessera::exp(tessera::tanh(sum<2>(a))) * 2.0 + 1.0));
static_assert(is<error::dim_out_of_range, why<long_after, x>>);
static_assert(says<error::at_line<__LINE__ - 2>, why<long_after, x>>);

// A mistake in what is not used counts as well.
struct unused {
  constexpr auto operator()(auto a) const {
    (void)summed{}(a);
    return a;
  }
};
static_assert(is<error::dim_out_of_range, why<unused, x>>);

}  // namespace why_cases
