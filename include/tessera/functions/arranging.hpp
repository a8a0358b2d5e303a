// SPDX-License-Identifier: Apache-2.0
#pragma once
// The elements of arrays in other places:
//   append(x, y): all elements of both in one dimension; append<0>(x, y): concatenate<0>
//   array_split<3, 0>(x): a std::tuple of parts, the first ones longer by one where 3 does not divide the extent
//   broadcast_arrays(x, y): a std::tuple of both, broadcast against each other
//   insert<Dim, At>(x, y): y, of rank and other extents as x, before index At   delete_at<Dim, At, Count = 1>(x)
//   resize<4, 6>(x): x's elements, again and again, in this shape   ediff1d(x): differences of all elements
//   diagflat<K = 0>(x): diag<K> of all elements   fill_diagonal(x, v): matrices with v on the diagonal
//   matrix_transpose(x): the last two dimensions exchanged   permute_dims<1, 0>(x): transpose
//   array_equiv(x, y): whether x and y, broadcast against each other, are equal everywhere; false where they do not fit
//   cumulative_sum<Dim = -1>(x), cumulative_prod<Dim = -1>(x): cumsum<Dim>; with include_initial begin with 0, with 1
//   packbits(x): (..., 8 n) bool or integers -> (..., n) uint8, the first bit the highest; unpackbits(x): the reverse
// Layouts and bytes are those of concatenate, reshape and slices. Source: JAX 0.10.2 jax.numpy. Differs: delete_at is
// jnp.delete, and delete a word of C++; packbits takes extents that 8 divides, as zeros are added by pad.

#include <tessera/op/create/diagonal.hpp>
#include <tessera/op/create/iota.hpp>
#include <tessera/op/create/triangle.hpp>
#include <tessera/op/elementwise.hpp>
#include <tessera/op/index/slice.hpp>
#include <tessera/op/reduce/cumulative.hpp>
#include <tessera/op/reduce/reduce.hpp>
#include <tessera/op/shape/broadcast_to.hpp>
#include <tessera/op/shape/concatenate.hpp>
#include <tessera/op/shape/permute.hpp>
#include <tessera/op/shape/reshape.hpp>
#include <tessera/op/shape/tile.hpp>
#include <tessera/op/shape/unstack.hpp>
#include <tessera/trace/composed.hpp>

#include <tuple>
#include <utility>

namespace tessera {

struct include_initial_t {};
inline constexpr include_initial_t include_initial{};  // of cumulative_sum: the value before the first element, too

namespace detail::bodies {

// The extents of X, and those of values broadcast against each other.
template <class X>
inline constexpr extents_list extents_of = facts_in_body<X>.shape();
template <class... X>
constexpr extents_list common_extents() {
  extents_list all;
  int const rank = std::max({extents_of<X>.size()...});
  for (int d = 0; d < rank; ++d) {
    std::int64_t most = 1;
    for (extents_list const& one : {extents_of<X>...}) {
      int const own = d - (rank - one.size());
      if (own >= 0 && one[own] != 1) most = one[own];
    }
    all.push_back(most);
  }
  return all;
}
constexpr std::int64_t product_of(extents_list const& extents) {
  std::int64_t all = 1;
  for (std::int64_t extent : extents) all *= extent;
  return all;
}

struct append {
  constexpr auto operator()(auto const& x, auto const& y) const { return concatenate<0>(ravel(x), ravel(y)); }
};
template <int Dim>
struct append_along {
  constexpr auto operator()(auto const& x, auto const& y) const { return concatenate<Dim>(x, y); }
};

template <std::int64_t Parts, int Dim>
struct array_split {
  template <class X>
  constexpr auto operator()(X const& x) const {
    return cut(x, std::make_index_sequence<Parts - 1>{});
  }

private:
  template <class X, std::size_t... I>
  static constexpr auto cut(X const& x, std::index_sequence<I...>) {
    constexpr std::int64_t extent = static_extent<Dim, X>();
    constexpr auto begin = [](std::int64_t part) {
      std::int64_t const longer = extent % Parts;
      return part * (extent / Parts) + (part < longer ? part : longer);
    };
    return split_at<Dim, begin(static_cast<std::int64_t>(I) + 1)...>(x);
  }
};

struct broadcast_arrays {
  template <class... X>
  constexpr auto operator()(X const&... x) const {
    constexpr extents_list all = common_extents<X...>();
    return [&]<std::size_t... D>(std::index_sequence<D...>) { return std::tuple{broadcast_to<all[D]...>(x)...}; }
    (std::make_index_sequence<all.size()>{});
  }
};

template <int Dim, std::int64_t At>
struct insert {
  template <class X>
  constexpr auto operator()(X const& x, auto const& y) const {
    constexpr std::int64_t extent = static_extent<Dim, X>();
    if constexpr (At == 0)
      return concatenate<Dim>(y, x);
    else if constexpr (At == extent)
      return concatenate<Dim>(x, y);
    else
      return concatenate<Dim>(slice_in_dim<Dim, 0, At>(x), y, slice_in_dim<Dim, At, extent>(x));
  }
};
template <int Dim, std::int64_t At, std::int64_t Count>
struct delete_at {
  template <class X>
  constexpr auto operator()(X const& x) const {
    constexpr std::int64_t extent = static_extent<Dim, X>();
    if constexpr (At < 0 || Count < 0 || At + Count > extent)
      return refused_call<call_fault::index_to_delete>(x);
    else if constexpr (At == 0)
      return slice_in_dim<Dim, Count, extent>(x);
    else if constexpr (At + Count == extent)
      return slice_in_dim<Dim, 0, At>(x);
    else
      return concatenate<Dim>(slice_in_dim<Dim, 0, At>(x), slice_in_dim<Dim, At + Count, extent>(x));
  }
};

template <std::int64_t... E>
struct resize {
  template <class X>
  constexpr auto operator()(X const& x) const {
    constexpr std::int64_t wanted = (E * ... * 1), given = product_of(extents_of<X>);
    if constexpr (given == 0)
      return refused_call<call_fault::nothing_to_repeat>(x);
    else
      return reshape<E...>(slice_in_dim<0, 0, wanted>(tile<(wanted + given - 1) / given>(ravel(x))));
  }
};
struct ediff1d {
  constexpr auto operator()(auto const& x) const { return diff(ravel(x)); }
};
template <std::int64_t K>
struct diagflat {
  constexpr auto operator()(auto const& x) const { return diag<K>(ravel(x)); }
};
struct fill_diagonal {
  template <class X>
  constexpr auto operator()(X const& x, auto const& v) const {
    constexpr extents_list all = extents_of<X>;
    return where(eye<all[all.size() - 2], all[all.size() - 1], 0, bool>(), v, x);
  }
};

struct array_equiv {
  template <class X, class Y>
  constexpr auto operator()(X const& x, Y const& y) const {
    constexpr extents_list all = common_extents<X, Y>();
    constexpr auto fits = [](extents_list const& own, extents_list const& common) {
      for (int d = 0; d < own.size(); ++d)
        if (int const at = d + common.size() - own.size(); own[d] != 1 && own[d] != common[at]) return false;
      return true;
    };
    if constexpr (fits(extents_of<X>, all) && fits(extents_of<Y>, all))
      return tessera::all(x == y);
    else
      return full<bool>(false);
  }
};
template <int Dim, bool Sum, bool Initial>
struct cumulative {
  template <class X>
  constexpr auto operator()(X const& x) const {
    auto const sums = [&] {
      if constexpr (Sum)
        return cumsum<Dim>(x);
      else
        return cumprod<Dim>(x);
    }();
    if constexpr (!Initial) {
      return sums;
    } else {
      auto const first = slice_in_dim<Dim, 0, 1>(sums);
      return concatenate<Dim>(Sum ? zeros_like(first) : ones_like(first), sums);
    }
  }
};

struct packbits {
  template <class X>
  constexpr auto operator()(X const& x) const {
    constexpr extents_list all = extents_of<X>;
    if constexpr (all[all.size() - 1] % 8 != 0) {
      return refused_call<call_fault::bits_of_no_bytes>(x);
    } else {
      auto const bytes = [&]<std::size_t... D>(std::index_sequence<D...>) {
        return reshape<all[D]..., all[all.size() - 1] / 8, 8>(astype<std::int32_t>(x != 0));
      }
      (std::make_index_sequence<all.size() - 1>{});
      return astype<std::uint8_t>(sum<-1>(bytes << (7 - arange<std::int32_t, 8>())));
    }
  }
};
struct unpackbits {
  template <class X>
  constexpr auto operator()(X const& x) const {
    constexpr extents_list all = extents_of<X>;
    auto const bits = (expand_dims<-1>(astype<std::int32_t>(x)) >> (7 - arange<std::int32_t, 8>())) & 1;
    return [&]<std::size_t... D>(std::index_sequence<D...>) {
      return reshape<all[D]..., all[all.size() - 1] * 8>(astype<std::uint8_t>(bits));
    }
    (std::make_index_sequence<all.size() - 1>{});
  }
};

}  // namespace detail::bodies

inline constexpr detail::composed_door<detail::bodies::ediff1d> ediff1d;
inline constexpr detail::composed_door<detail::bodies::fill_diagonal> fill_diagonal;
inline constexpr detail::composed_door<detail::bodies::broadcast_arrays> broadcast_arrays;
inline constexpr detail::composed_door<detail::bodies::array_equiv> array_equiv;
inline constexpr detail::composed_door<detail::bodies::packbits> packbits;
inline constexpr detail::composed_door<detail::bodies::unpackbits> unpackbits;

namespace functions {

template <class X, class Y>
constexpr auto append(X const& x, Y const& y, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::append>(at, x, y);
}
template <int Dim, class X, class Y>
constexpr auto append(X const& x, Y const& y, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::append_along<Dim>>(at, x, y);
}
template <std::int64_t Parts, int Dim = 0, class X>
constexpr auto array_split(X const& x, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::array_split<Parts, Dim>>(at, x);
}
template <int Dim, std::int64_t At, class X, class Y>
constexpr auto insert(X const& x, Y const& y, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::insert<Dim, At>>(at, x, y);
}
template <int Dim, std::int64_t At, std::int64_t Count = 1, class X>
constexpr auto delete_at(X const& x, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::delete_at<Dim, At, Count>>(at, x);
}
template <std::int64_t... E, class X>
constexpr auto resize(X const& x, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::resize<E...>>(at, x);
}
template <std::int64_t K = 0, class X>
constexpr auto diagflat(X const& x, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::diagflat<K>>(at, x);
}
template <int Dim = -1, class X>
constexpr auto cumulative_sum(X const& x, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::cumulative<Dim, true, false>>(at, x);
}
template <int Dim = -1, class X>
constexpr auto cumulative_sum(X const& x, include_initial_t, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::cumulative<Dim, true, true>>(at, x);
}
template <int Dim = -1, class X>
constexpr auto cumulative_prod(X const& x, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::cumulative<Dim, false, false>>(at, x);
}
template <int Dim = -1, class X>
constexpr auto cumulative_prod(X const& x, include_initial_t, site at = std::source_location::current()) {
  return detail::composed<detail::bodies::cumulative<Dim, false, true>>(at, x);
}
template <class X>
constexpr auto matrix_transpose(X const& x, site at = std::source_location::current()) {
  return swapaxes<-1, -2>(x, at);
}
template <int... Order, class X>
constexpr auto permute_dims(X const& x, site at = std::source_location::current()) {
  return transpose<Order...>(x, at);
}

}  // namespace functions
}  // namespace tessera
