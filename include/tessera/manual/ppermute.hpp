// SPDX-License-Identifier: Apache-2.0
#pragma once
// ppermute<dp>(x, perm<send<0, 1>, send<1, 2>>): device 1 gets the block of device 0, device 2 that of device 1, all
// others zeros. rotate<1>: from each device to the next, from the last to the first. perm_by<f>: computed by a
// constexpr function, f(device, devices) -> the device that it sends to, below 0 for none, or f(devices) -> a list of
// {from, to}. pshuffle<dp>(x, order<3, 0, 1, 2>): device p gets the block of the p-th device in the list, zeros beyond
// its end.
// Checked while compiling: devices exist, none sends or receives twice. Of several axes the first is major.
// Block {V} -> {V and dp}. Bytes: B. Transpose: the inverse permutation. Source: JAX 0.10.2 lax.ppermute, pshuffle.
// Differs: devices of several axes are numbered in the order given.

#include <tessera/manual/pvary.hpp>

namespace tessera {

template <int From, int To>
struct send {};
template <class... Send>
struct perm_t {};
template <class... Send>
inline constexpr perm_t<Send...> perm{};
template <int By>
struct rotate_t {};
template <int By>
inline constexpr rotate_t<By> rotate{};
template <auto F>
struct perm_by_t {};
template <auto F>
inline constexpr perm_by_t<F> perm_by{};
template <int... From>
struct order_t {};
template <int... From>
inline constexpr order_t<From...> order{};

namespace ops {

// Along `order`; `table`: n, the source of each device, the source of each backwards.
struct ppermute {
  static constexpr std::string_view name = "ppermute";
  static constexpr op_class kind = op_class::collective;
  static constexpr collective message = collective::permute;
  static constexpr verdict rule(rule_input const& in) {
    verdict const v = rule::over_manual(in, &rule::moved);
    auto const& along = in.attrs.as<collective_params>();
    if (v && along.fault != collective_params::no_fault)
      return refuse(reason::malformed_permutation, -1, along.order.axes(), along.fault,
                    in.mesh.devices(along.order.axes()));
    return v;
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    collective_params along = back.attrs().template as<collective_params>();
    along.backwards = !along.backwards;
    back.give(0, make<ppermute>(back, {back.cotangent()}, along));
  }
};

}  // namespace ops

namespace detail {

template <int Devices>
struct permutation {
  std::array<std::int32_t, 1 + 2 * Devices> table{};
  int fault = -1;  // a device that does not exist, or sends or receives twice

  constexpr permutation() {
    table.fill(-1);
    table[0] = Devices;
  }
  constexpr void add(int from, int to) {
    if (from < 0 || from >= Devices || to < 0 || to >= Devices) {
      fault = from < 0 || from >= Devices ? from : to;
      return;
    }
    auto& source = table[1 + to];
    auto& back = table[1 + Devices + from];
    if (source >= 0) fault = to;
    if (back >= 0) fault = from;
    source = from;
    back = to;
  }
};

template <int Devices, class How>
struct permutation_of;
template <int Devices, int... From, int... To>
struct permutation_of<Devices, perm_t<send<From, To>...>> {
  static constexpr permutation<Devices> value = [] {
    permutation<Devices> p;
    (p.add(From, To), ...);
    return p;
  }();
};
template <int Devices, int By>
struct permutation_of<Devices, rotate_t<By>> {
  static constexpr permutation<Devices> value = [] {
    permutation<Devices> p;
    for (int from = 0; from < Devices; ++from) p.add(from, ((from + By) % Devices + Devices) % Devices);
    return p;
  }();
};
template <int Devices, auto F>
struct permutation_of<Devices, perm_by_t<F>> {
  static constexpr permutation<Devices> value = [] {
    permutation<Devices> p;
    if constexpr (std::is_invocable_r_v<int, decltype(F), int, int>) {
      for (int from = 0; from < Devices; ++from)
        if (int const to = F(from, Devices); to >= 0) p.add(from, to);
    } else {
      static_assert(
          std::is_invocable_v<decltype(F), int>,
          "tessera: perm_by takes a constexpr function. Fix: f(device, devices) -> the device it sends to, or "
          "f(devices) -> a list of {from, to}.");
      for (auto const& [from, to] : F(Devices)) p.add(from, to);
    }
    return p;
  }();
};
template <int Devices, int... From>
struct permutation_of<Devices, order_t<From...>> {
  static constexpr permutation<Devices> value = [] {
    permutation<Devices> p;
    int to = 0;
    (p.add(From, to++), ...);
    return p;
  }();
};

}  // namespace detail

template <class Axes, class How>
struct permuted_over {
  using spec = typename Axes::spec;
  static constexpr bool names_axes = true;
  template <Mesh M>
  static constexpr collective_params on() {
    collective_params over = Axes::template on<M>();
    constexpr axis_set joined = Axes::template on<M>().axes;
    constexpr auto devices = M::value.axes().contains(joined) ? M::value.devices(joined) : 0;
    static_assert(devices != dynamic, "tessera: a permutation of devices needs their number. Fix: a static axis size.");
    over.axes = {};
    if constexpr (devices > 0) {
      using table = detail::permutation_of<static_cast<int>(devices), How>;
      over.table = table::value.table.data();
      if (table::value.fault >= 0) over.fault = table::value.fault;
    }
    return over;
  }
};

namespace functions {

template <Axis... A, class X, class... Send>
constexpr auto ppermute(X const& x, perm_t<Send...>, site at = std::source_location::current()) {
  return invoke<ops::ppermute, permuted_over<joined_axes<A...>, perm_t<Send...>>>(at, x);
}
template <Axis... A, class X, int By>
constexpr auto ppermute(X const& x, rotate_t<By>, site at = std::source_location::current()) {
  return invoke<ops::ppermute, permuted_over<joined_axes<A...>, rotate_t<By>>>(at, x);
}
template <Axis... A, class X, auto F>
constexpr auto ppermute(X const& x, perm_by_t<F>, site at = std::source_location::current()) {
  return invoke<ops::ppermute, permuted_over<joined_axes<A...>, perm_by_t<F>>>(at, x);
}
template <Axis... A, class X, int... From>
constexpr auto pshuffle(X const& x, order_t<From...>, site at = std::source_location::current()) {
  return invoke<ops::ppermute, permuted_over<joined_axes<A...>, order_t<From...>>>(at, x);
}

}  // namespace functions

}  // namespace tessera
