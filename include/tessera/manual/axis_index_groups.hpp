// SPDX-License-Identifier: Apache-2.0
#pragma once
// Collectives within groups of devices: psum<dp>(x, axis_index_groups<group<0, 1>, group<2, 3>>). A group lists
// positions along the axes, of several axes the first is major; the order within a group is the order of parts in
// gathers, scatters and exchanges. psum, pmax, pmin, pmean, all_gather, psum_scatter, all_to_all and pswapaxes take
// them.
//   pmean<dp>(x, axis_index_groups<...>)   all_gather<dp>(x, dim<1>, tiled, axis_index_groups<...>)
// Checked while compiling: each device is in one group, and groups are of one size, except for psum, pmax and pmin.
// Block {V} -> {V and dp}: groups have different results. Bytes as without groups, with n the size of the (largest)
// group. Transposes: the same ones within the same groups; that of psum is psum. Source: JAX 0.10.2 axis_index_groups.
// Differs: JAX refuses groups in psum unless check_vma=False, and the type of its pmax with groups does not vary; its
// pmean divides by the first group's size.

#include <tessera/manual/all_to_all.hpp>
#include <tessera/manual/group_table.hpp>
#include <tessera/manual/psum.hpp>
#include <tessera/manual/psum_scatter.hpp>

namespace tessera {

namespace ops {

// Along `order`, by a table: rule/device_groups.hpp.
template <monoid Monoid>
struct grouped_extreme : p_extreme<Monoid> {
  static constexpr verdict rule(rule_input const& in) { return rule::over_manual(in, &rule::reduce_in_groups); }
};
struct grouped_psum {
  static constexpr std::string_view name = "psum";
  static constexpr op_class kind = op_class::collective;
  static constexpr collective message = collective::all_reduce;
  static constexpr monoid reduction = monoid::sum;
  static constexpr verdict rule(rule_input const& in) { return rule::over_manual(in, &rule::reduce_in_groups); }
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    return b.template emit<grouped_psum>({terms_of_psum(b, x[0])}, attrs);
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    back.give(0, make<grouped_psum>(back, {back.cotangent()}, back.attrs()));
  }
};
struct grouped_pmean {
  static constexpr std::string_view name = "pmean";
  static constexpr op_class kind = op_class::collective;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    array_value const facts = x[0].facts();
    array_value const* const operand[]{&facts};
    if (verdict const v = rule::lawful_groups({b.mesh(), operand, 1, attrs}, false); !v)
      return b.template refuse<grouped_pmean>(v, facts);
    return mean_of_devices<grouped_psum>(b, x[0], attrs, rule::sharers(b.mesh(), attrs.as<collective_params>()));
  }
};

}  // namespace ops

// Params with groups. `axes` is empty: the result varies over all axes.
template <class Params, class Groups>
struct within_groups {
  using spec = typename Params::spec;
  static constexpr bool names_axes = true;
  template <Mesh M>
  static constexpr collective_params on() {
    collective_params over = Params::template on<M>();
    constexpr axis_set joined = Params::template on<M>().order.axes();
    constexpr auto devices = M::value.axes().contains(joined) ? M::value.devices(joined) : 0;
    static_assert(devices != dynamic, "tessera: groups of devices need their number. Fix: a static axis size.");
    over.axes = {};
    if constexpr (devices > 0)
      over.table = detail::table_of_groups<static_cast<int>(devices), Groups>::value.table.data();
    return over;
  }
};

namespace functions {

template <Axis... A, class X, class... G>
constexpr auto psum(X const& x, axis_index_groups_t<G...>, site at = std::source_location::current()) {
  return invoke<ops::grouped_psum, within_groups<joined_axes<A...>, axis_index_groups_t<G...>>>(at, x);
}
template <Axis... A, class X, class... G>
constexpr auto pmean(X const& x, axis_index_groups_t<G...>, site at = std::source_location::current()) {
  return invoke<ops::grouped_pmean, within_groups<joined_axes<A...>, axis_index_groups_t<G...>>>(at, x);
}
template <Axis... A, class X, class... G>
constexpr auto pmax(X const& x, axis_index_groups_t<G...>, site at = std::source_location::current()) {
  return invoke<ops::grouped_extreme<monoid::max>, within_groups<joined_axes<A...>, axis_index_groups_t<G...>>>(at, x);
}
template <Axis... A, class X, class... G>
constexpr auto pmin(X const& x, axis_index_groups_t<G...>, site at = std::source_location::current()) {
  return invoke<ops::grouped_extreme<monoid::min>, within_groups<joined_axes<A...>, axis_index_groups_t<G...>>>(at, x);
}

template <Axis... A, class X, int D, class... G>
constexpr auto all_gather(X const& x, dim_t<D>, axis_index_groups_t<G...>, site at = std::source_location::current()) {
  return invoke<ops::stacked<ops::all_gather>,
                within_groups<joined_along<joined_axes<A...>, D>, axis_index_groups_t<G...>>>(at, x);
}
template <Axis... A, class X, class... G>
constexpr auto all_gather(X const& x, axis_index_groups_t<G...>, site at = std::source_location::current()) {
  return all_gather<A...>(x, dim<0>, axis_index_groups<G...>, at);
}
template <Axis... A, class X, int D, class... G>
constexpr auto all_gather(X const& x, dim_t<D>, tiled_t, axis_index_groups_t<G...>,
                          site at = std::source_location::current()) {
  return invoke<ops::all_gather, within_groups<joined_along<joined_axes<A...>, D>, axis_index_groups_t<G...>>>(at, x);
}
template <Axis... A, class X, class... G>
constexpr auto all_gather(X const& x, tiled_t, axis_index_groups_t<G...>, site at = std::source_location::current()) {
  return all_gather<A...>(x, dim<0>, tiled, axis_index_groups<G...>, at);
}

template <Axis... A, class X, int D, class... G>
constexpr auto psum_scatter(X const& x, dim_t<D>, axis_index_groups_t<G...>,
                            site at = std::source_location::current()) {
  return invoke<ops::psum_scatter_one, within_groups<joined_along<joined_axes<A...>, D>, axis_index_groups_t<G...>>>(at,
                                                                                                                     x);
}
template <Axis... A, class X, class... G>
constexpr auto psum_scatter(X const& x, axis_index_groups_t<G...>, site at = std::source_location::current()) {
  return psum_scatter<A...>(x, dim<0>, axis_index_groups<G...>, at);
}
template <Axis... A, class X, int D, class... G>
constexpr auto psum_scatter(X const& x, dim_t<D>, tiled_t, axis_index_groups_t<G...>,
                            site at = std::source_location::current()) {
  return invoke<ops::psum_scatter, within_groups<joined_along<joined_axes<A...>, D>, axis_index_groups_t<G...>>>(at, x);
}
template <Axis... A, class X, class... G>
constexpr auto psum_scatter(X const& x, tiled_t, axis_index_groups_t<G...>, site at = std::source_location::current()) {
  return psum_scatter<A...>(x, dim<0>, tiled, axis_index_groups<G...>, at);
}

template <Axis... A, class X, int Split, int Concat, class... G>
constexpr auto all_to_all(X const& x, split_t<Split>, concat_t<Concat>, axis_index_groups_t<G...>,
                          site at = std::source_location::current()) {
  return invoke<ops::all_to_all_stacked,
                within_groups<joined_along<joined_axes<A...>, Split, Concat>, axis_index_groups_t<G...>>>(at, x);
}
template <Axis... A, class X, int Split, int Concat, class... G>
constexpr auto all_to_all(X const& x, split_t<Split>, concat_t<Concat>, tiled_t, axis_index_groups_t<G...>,
                          site at = std::source_location::current()) {
  return invoke<ops::all_to_all,
                within_groups<joined_along<joined_axes<A...>, Split, Concat>, axis_index_groups_t<G...>>>(at, x);
}
template <Axis... A, class X, int D, class... G>
constexpr auto pswapaxes(X const& x, dim_t<D>, axis_index_groups_t<G...>, site at = std::source_location::current()) {
  return invoke<ops::all_to_all_stacked,
                within_groups<joined_along<joined_axes<A...>, D, D>, axis_index_groups_t<G...>>>(at, x);
}

}  // namespace functions

}  // namespace tessera
