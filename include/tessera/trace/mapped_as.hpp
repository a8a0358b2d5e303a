// SPDX-License-Identifier: Apache-2.0
#pragma once
// What vmap, scan and map take slices of in place of an argument or a part of one. A type that is more than a tree, an array
// of keys, specializes it:
//   struct mapped_as<T> : std::true_type { static constexpr auto of(T const& x, site at); };

#include <tessera/graph/node.hpp>
#include <tessera/trace/tree.hpp>

#include <type_traits>

namespace tessera::detail {

template <class X>
struct mapped_as : std::false_type {};

template <class X>
constexpr auto is_mapped_otherwise(X const& x);
struct any_mapped_otherwise {
  template <class... Part>
  constexpr auto operator()(Part const&... part) const {
    return std::bool_constant<(decltype(is_mapped_otherwise(part))::value || ...)>{};
  }
};
template <class X>
constexpr auto is_mapped_otherwise(X const& x) {
  if constexpr (mapped_as<X>::value)
    return std::true_type{};
  else if constexpr (Tree<X>)
    return decltype(with_parts(x, any_mapped_otherwise{})){};
  else
    return std::false_type{};
}
// Whether X is, or is a tree with, what is mapped in another form.
template <class X>
inline constexpr bool maps_otherwise = decltype(is_mapped_otherwise(std::declval<X const&>()))::value;

// x in the form in which it is mapped.
struct as_mapped {
  site at;
  template <class X>
  constexpr auto operator()(X const& x) const {
    if constexpr (mapped_as<X>::value)
      return mapped_as<X>::of(x, at);
    else if constexpr (maps_otherwise<X>)
      return with_parts(x, parts<X>{*this});
    else
      return x;
  }

private:
  template <class X>
  struct parts {
    as_mapped const& f;
    template <class... Part>
    constexpr auto operator()(Part const&... part) const {
      return typename rebuild<X>::template with<decltype(f(part))...>{f(part)...};
    }
  };
};

}  // namespace tessera::detail
