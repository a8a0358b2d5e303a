// SPDX-License-Identifier: Apache-2.0
#pragma once
// Data on the host for an array: a pointer with extents, static if the type has them.
//   host<512, 64>(vector)            512 x 64, the size checked when it runs
//   host(vector, {rows, cols})       extents known at run time: shape<dynamic, dynamic>
//   host<dynamic, 64>(vector)        one extent follows from the number of elements
//   host<512, 64>(read_file())       a temporary container is moved in and owned; a std::vector<bool> is copied
// As an argument of an operation or of jit it is an array without a mesh: it is put on the default device for that
// call.

#include <tessera/aval/array_type.hpp>
#include <tessera/base/arrays_otherwise.hpp>
#include <tessera/base/config.hpp>
#include <tessera/trace/apply.hpp>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <memory>
#include <span>
#include <vector>

namespace tessera {

// T elements, row-major; borrowed, valid as long as its source is, except for a container that was moved in.
template <class T, class Shape>
struct host_view;

template <class T, std::int64_t... Extents>
struct host_view<T, shape<Extents...>> : operators<host_view<T, shape<Extents...>>> {
  using element = T;
  using shape_type = shape<Extents...>;
  T const* data = nullptr;
  extents_list extents{};
  std::shared_ptr<void const> kept{};  // an owned temporary
  host_view(T const* values, extents_list const& shape, std::shared_ptr<void const> keeper = nullptr)
      : data(values), extents(shape), kept(std::move(keeper)) {}
};

template <class X>
inline constexpr bool is_host_view = false;
template <class T, class Shape>
inline constexpr bool is_host_view<host_view<T, Shape>> = true;

namespace detail {
template <class T, std::int64_t... Extents>
struct whole {
  static constexpr array_value facts = [] {
    array_value v{dtype_of<T>()};
    (v.add_dim(Extents), ...);
    return v;
  }();
};
}  // namespace detail

template <class T, std::int64_t... Extents>
struct operand_traits<host_view<T, shape<Extents...>>> {
  static constexpr operand_kind kind = operand_kind::array;
  using type = array_type_of<detail::whole<T, Extents...>, no_mesh>;
};

namespace detail {
template <class T>
struct kept_elements {
  T const* data;
  std::shared_ptr<void const> keeper;
};
// The elements of a container; a temporary is owned, or copied. Types that refer to elements of others, as std::span
// does, are borrowed.
template <class Container>
auto keep_elements(Container&& given) {
  using T = std::remove_cvref_t<decltype(*std::data(given))>;
  using own_type = std::remove_cvref_t<Container>;
  if constexpr (std::is_lvalue_reference_v<Container> || std::ranges::enable_borrowed_range<Container>) {
    return kept_elements<T>{std::data(given), nullptr};
  } else if constexpr (std::is_constructible_v<own_type, Container&&> &&
                       !std::is_same_v<own_type, std::initializer_list<T>>) {
    auto const own = std::make_shared<own_type const>(std::forward<Container>(given));
    return kept_elements<T>{std::data(*own), own};
  } else {
    auto const own = std::make_shared<std::vector<T> const>(std::data(given), std::data(given) + std::size(given));
    return kept_elements<T>{own->data(), own};
  }
}
// The elements of a std::vector<bool>, which has none in memory.
class bools {
public:
  explicit bools(std::vector<bool> const& given) : values_(new bool[given.size()]), size_(given.size()) {
    std::copy(given.begin(), given.end(), values_.get());
  }
  bool const* data() const { return values_.get(); }
  std::size_t size() const { return size_; }

private:
  std::unique_ptr<bool[]> values_;
  std::size_t size_;
};
template <class Container>
concept VectorOfBool = std::is_same_v<std::remove_cvref_t<Container>, std::vector<bool>>;

// The number of elements that a container's type says: std::array, std::span<T, 4>, T[4].
template <class Container>
inline constexpr std::size_t elements_in_type = std::dynamic_extent;
template <class T, std::size_t N>
inline constexpr std::size_t elements_in_type<std::array<T, N>> = N;
template <class T, std::size_t N>
inline constexpr std::size_t elements_in_type<std::span<T, N>> = N;
template <class T, std::size_t N>
inline constexpr std::size_t elements_in_type<T[N]> = N;
[[noreturn]] void wrong_size(std::size_t have, std::int64_t need, extents_list const& extents);
template <class Shape>
struct extents_of_shape;
template <std::int64_t... E>
struct extents_of_shape<shape<E...>> {
  static constexpr extents_list value = [] {
    extents_list list;
    (list.push_back(E), ...);
    return list;
  }();
};
template <std::size_t N>
constexpr auto all_dynamic() {
  return []<std::size_t... I>(std::index_sequence<I...>) { return shape<(static_cast<void>(I), dynamic)...>{}; }
  (std::make_index_sequence<N>{});
}

// The view of a container of this shape, of which one extent may be dynamic.
template <std::int64_t... Extents, VectorOfBool Container>
auto view_on_host(Container&& data) {
  return view_on_host<Extents...>(bools(data));
}
template <VectorOfBool Container, std::size_t N>
auto view_on_host(Container&& data, std::int64_t const (&extents)[N]) {
  return view_on_host(bools(data), extents);
}
template <std::int64_t... Extents, class Container>
auto view_on_host(Container&& data) {
  using T = std::remove_cvref_t<decltype(*std::data(data))>;
  constexpr int unknown = (0 + ... + (Extents == dynamic));
  static_assert(unknown < 2, "tessera: only one extent can follow from the data. Fix: host(data, {rows, cols}).");
  constexpr std::int64_t known = (std::int64_t{1} * ... * (Extents == dynamic ? 1 : Extents));
  constexpr std::size_t in_type = elements_in_type<std::remove_cvref_t<Container>>;
  if constexpr (in_type != std::dynamic_extent && unknown == 0 && known != static_cast<std::int64_t>(in_type))
    written::elements_miscounted<shape<Extents...>, Container>::explain();
  auto const have = static_cast<std::int64_t>(std::size(data));
  auto const [values, keeper] = keep_elements(std::forward<Container>(data));
  host_view<T, shape<Extents...>> view{values, extents_of_shape<shape<Extents...>>::value, keeper};
  std::int64_t need = known;
  for (int d = 0; d < view.extents.size(); ++d)
    if (view.extents[d] == dynamic) {
      view.extents[d] = known > 0 ? (have + known - 1) / known : 0;
      need *= view.extents[d];
    }
  if (have != need) wrong_size(have, need, view.extents);
  return view;
}
template <class Container, std::size_t N>
auto view_on_host(Container&& data, std::int64_t const (&extents)[N]) {
  using T = std::remove_cvref_t<decltype(*std::data(data))>;
  std::size_t const have = std::size(data);
  auto const [values, keeper] = keep_elements(std::forward<Container>(data));
  host_view<T, decltype(all_dynamic<N>())> view{values, {}, keeper};
  std::int64_t need = 1;
  for (auto e : extents) {
    view.extents.push_back(e);
    need *= e;
  }
  if (static_cast<std::int64_t>(have) != need) wrong_size(have, need, view.extents);
  return view;
}

// A container of what is no element, std::vector<std::string>, or a pointer.
template <class Container>
concept NoElements = std::is_pointer_v<std::remove_cvref_t<Container>> || requires(Container& given) {
  requires !ElementType<std::remove_cvref_t<decltype(*std::data(given))>>;
};

template <class Container>
concept Temporary = !std::is_lvalue_reference_v<Container>;
}  // namespace detail

namespace functions {

// Extents of the type, of which one may be dynamic: it follows from the number of elements. The view of a container that
// is no temporary is borrowed: a function that returns it moves the container in, host<8, 4>(std::move(values)).
// Precondition, checked: there are as many elements as the shape has.
template <std::int64_t... Extents, class Container>
  requires(sizeof...(Extents) > 0 && !detail::NoElements<Container>)
auto host(Container& data TESSERA_LIFETIMEBOUND) { return detail::view_on_host<Extents...>(data); }
template <std::int64_t... Extents, detail::Temporary Container>
  requires(sizeof...(Extents) > 0 && !detail::NoElements<Container>)
auto host(Container&& data) { return detail::view_on_host<Extents...>(std::forward<Container>(data)); }

// Extents known at run time: host(data, {rows, cols}).
template <class Container, std::size_t N>
  requires(!detail::NoElements<Container>)
auto host(Container& data TESSERA_LIFETIMEBOUND, std::int64_t const (&extents)[N]) {
  return detail::view_on_host(data, extents);
}
template <detail::Temporary Container, std::size_t N>
  requires(!detail::NoElements<Container>)
auto host(Container&& data, std::int64_t const (&extents)[N]) {
  return detail::view_on_host(std::forward<Container>(data), extents);
}

template <std::int64_t... Extents, detail::NoElements Container>
auto host(Container const& data) {
  if constexpr (std::is_pointer_v<Container>)
    written::pointer_without_size<Container>::explain();
  else
    written::not_an_element<std::remove_cvref_t<decltype(*std::data(data))>>::explain();
  return poisoned<explained<>>{};
}
// A list, host<2, 2>({1.f, 2.f, 3.f, 4.f}), is copied.
template <std::int64_t... Extents, ElementType T>
  requires(sizeof...(Extents) > 0 && !std::is_same_v<T, bool>)
auto host(std::initializer_list<T> data) { return detail::view_on_host<Extents...>(std::vector<T>(data)); }
template <detail::NoElements Container, std::size_t N>
auto host(Container const& data, std::int64_t const (&)[N]) {
  if constexpr (std::is_pointer_v<Container>)
    written::pointer_without_size<Container>::explain();
  else
    written::not_an_element<std::remove_cvref_t<decltype(*std::data(data))>>::explain();
  return poisoned<explained<>>{};
}

}  // namespace functions

}  // namespace tessera
