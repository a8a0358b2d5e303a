// SPDX-License-Identifier: Apache-2.0
#pragma once
// The leaves of a tree for a checkpoint: arrays, numbers and strings, each with its path as a name: "params.w1",
// "step".
// Leaves are arrays, numbers, bool, std::string, std::vector of these; trees are those that jit accepts, and structs
// with `names`.

#include <tessera/array/array.hpp>
#include <tessera/array/stored_array.hpp>
#include <tessera/checkpoint/json_text.hpp>
#include <tessera/trace/tree.hpp>
#include <tessera/trace/tree_parts.hpp>

#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tessera::detail {

struct saved_array {
  std::string name;
  stored_array stored;
  concrete_mesh mesh;
};
struct saved_value {
  std::string name, json;
};
struct saved_leaves {
  std::vector<saved_array> arrays;
  std::vector<saved_value> values;
};

template <class T>
inline constexpr bool is_saved_vector = false;
template <class T, class A>
inline constexpr bool is_saved_vector<std::vector<T, A>> = true;

template <class T>
inline constexpr bool is_saved_value = std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_same_v<T, std::string>;
template <class T, class A>
inline constexpr bool is_saved_value<std::vector<T, A>> = is_saved_value<T>;

template <class T>
std::string value_as_json(T const& value) {
  if constexpr (is_saved_vector<T>) {
    std::vector<std::string> items;
    for (typename T::value_type const item : value) items.push_back(value_as_json(item));
    return json_list(items);
  } else if constexpr (std::is_same_v<T, std::string>) {
    return json_of(std::string_view(value));
  } else if constexpr (std::is_enum_v<T>) {
    return value_as_json(static_cast<std::underlying_type_t<T>>(value));
  } else if constexpr (std::is_same_v<T, bool>) {
    return json_of(value);
  } else if constexpr (std::is_floating_point_v<T>) {
    static_assert(sizeof(T) <= sizeof(double), "tessera: a checkpoint has no long double. Fix: double.");
    return json_of(static_cast<double>(value));
  } else if constexpr (std::is_signed_v<T>) {
    return json_of(static_cast<std::int64_t>(value));
  } else {
    return json_of(static_cast<std::uint64_t>(value));
  }
}

template <class T>
void value_from_json(std::string_view json, T& value, std::string_view where) {
  if constexpr (is_saved_vector<T>) {
    T read;
    for (auto const& item : read_json_list(json, where)) {
      typename T::value_type one{};
      value_from_json(item, one, where);
      read.push_back(one);
    }
    value = std::move(read);
  } else if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, bool> || std::is_same_v<T, double>) {
    read_json(json, value, where);
  } else if constexpr (std::is_enum_v<T>) {
    std::underlying_type_t<T> number{};
    value_from_json(json, number, where);
    value = static_cast<T>(number);
  } else if constexpr (std::is_floating_point_v<T>) {
    double wide = 0;
    read_json(json, wide, where);
    value = static_cast<T>(wide);
    if (static_cast<double>(value) != wide && wide == wide) number_outside(json, where);
  } else {
    std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t> wide = 0;
    read_json(json, wide, where);
    value = static_cast<T>(wide);
    if (value != wide) number_outside(json, where);
  }
}

// Is<leaf>::value for every leaf of a tree's type: tested before its values are visited, so that there is one error.
template <template <class> class Is, class T>
consteval bool each_leaf();
template <template <class> class Is, class Positions, class... Part>
consteval bool each_part(part_refs<Positions, Part...>*) {
  return (each_leaf<Is, Part>() && ...);
}
template <template <class> class Is, class T>
consteval bool each_leaf() {
  if constexpr (Tree<T>)
    return each_part<Is>(static_cast<decltype(parts_of(std::declval<T const&>()))*>(nullptr));
  else
    return Is<T>::value;
}
template <class Leaf>
struct is_saved_leaf {
  static constexpr bool value = is_array<Leaf> || is_saved_value<Leaf> || is_no_leaf<Leaf>;
};
template <class Leaf>
struct has_no_pending_sums {
  static constexpr bool value = true;
};
template <ArrayType A>
struct has_no_pending_sums<array<A>> {
  static constexpr bool value = A::value.unreduced.empty();
};

template <class Leaf>
struct is_not_refused {
  static constexpr bool value = !is_refused<Leaf>;
};

template <class T>
consteval bool can_be_saved() {
  constexpr bool leaves = each_leaf<is_saved_leaf, T>(), whole = each_leaf<has_no_pending_sums, T>();
  static_assert(leaves || !each_leaf<is_not_refused, T>(),
                "tessera: a checkpoint has no leaves of this type. Fix: arrays, numbers, std::string, std::vector of "
                "those, and structs of them with `static constexpr ts::names<N> names{...}`.");
  static_assert(whole,
                "tessera: sums of an array of this tree are pending, each device has a part of each number. Fix: "
                "reshard it before it is saved.");
  return leaves && whole;
}

// A tree that is one leaf has a name, too.
inline std::string leaf_name(std::string const& path) { return path.empty() ? "value" : path; }

template <class T>
saved_leaves leaves_of(T const& tree) {
  saved_leaves leaves;
  tree_each_with_path(
      [&]<class Leaf>(std::string const& path, Leaf const& leaf) {
        if constexpr (is_array<Leaf>)
          leaves.arrays.push_back({leaf_name(path), leaf.stored(), leaf.mesh()});
        else
          leaves.values.push_back({leaf_name(path), value_as_json(leaf)});
      },
      tree);
  return leaves;
}

}  // namespace tessera::detail
