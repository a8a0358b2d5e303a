// SPDX-License-Identifier: Apache-2.0
#pragma once
// The answers of a refused value to any question, so that its error is the only one: y.sharding().spec(), y.shape()[0]
// == 8, for (auto const& part : y.addressable_shards()). No program with such an answer runs.

#include <tessera/base/config.hpp>

#include <iosfwd>
#include <string_view>
#include <type_traits>

namespace tessera {

struct refused_answer;

// Whether X is the type of a refused value, or of an answer of one.
template <class X>
inline constexpr bool is_refused = std::is_same_v<X, refused_answer>;
template <class X>
concept Refused = is_refused<X>;

namespace detail {
// Of several values, of which one was refused.
template <class X, class... More>
constexpr auto first_refused(X const& x, More const&... more) {
  if constexpr (Refused<X>)
    return x;
  else
    return first_refused(more...);
}
}  // namespace detail

// The names that arrays, shardings, meshes, devices and host values have, as members or as functions.
struct refused_members {
  static refused_answer const shape, ndim, rank, size, nbytes, dtype, weak_type, vma;
  static refused_answer const mesh, sharding, devices, device, device_ids, axis_names, axis_types;
  static refused_answer const is_fully_addressable, is_fully_replicated, addressable_shards, is_released, release;
  static refused_answer const to_host, copy_to, id, block_until_ready;
  static constexpr float item() { return 0; }  // printf("%f", x.item()) says nothing more
  static refused_answer const spec, memory, with_spec, with_memory, with_memory_kind, parts, part_at, shard_shape;
  static refused_answer const devices_indices_map, is_equivalent_to, text, where, index, replica_id, platform;
  static refused_answer const start, stop, elements;
  static refused_answer const data, front, back, empty;
};

struct refused_answer : refused_members {
  template <class... X>
  constexpr refused_answer operator()(X const&...) const;
  template <class I>
  constexpr refused_answer operator[](I const&) const;
  constexpr refused_answer operator*() const;
  template <class... Index>
  constexpr refused_answer at(Index const&...) const;
  template <class... X>
  constexpr refused_answer get(X const&...) const;
  template <class... X>
  constexpr refused_answer set(X const&...) const;
  constexpr refused_answer const* begin() const { return nullptr; }
  constexpr refused_answer const* end() const { return nullptr; }

  constexpr operator double() const { return 0; }
  template <class T>
  constexpr operator T*() const {
    return nullptr;
  }
  template <class T>
    requires((std::is_class_v<T> || std::is_enum_v<T>)&&std::is_default_constructible_v<T>)
  constexpr operator T() const { return T{}; }
};

namespace detail {
template <class Y>
concept answers = std::is_same_v<Y, refused_answer>;
}  // namespace detail

// It equals everything and is not less than anything, so loops that count up to it do not iterate.
template <class Y>
constexpr bool operator==(refused_answer const&, Y const&) {
  return true;
}
template <detail::answers X, class Y>
constexpr bool operator<(X const&, Y const&) {
  return false;
}
template <class X, detail::answers Y>
  requires(!detail::answers<X>)
constexpr bool operator<(X const&, Y const&) { return false; }
template <detail::answers X, class Y>
constexpr bool operator>(X const&, Y const&) {
  return false;
}
template <class X, detail::answers Y>
  requires(!detail::answers<X>)
constexpr bool operator>(X const&, Y const&) { return false; }
template <detail::answers X, class Y>
constexpr bool operator<=(X const&, Y const&) {
  return true;
}
template <class X, detail::answers Y>
  requires(!detail::answers<X>)
constexpr bool operator<=(X const&, Y const&) { return true; }
template <detail::answers X, class Y>
constexpr bool operator>=(X const&, Y const&) {
  return true;
}
template <class X, detail::answers Y>
  requires(!detail::answers<X>)
constexpr bool operator>=(X const&, Y const&) { return true; }
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, refused_answer const&) {
  return out;
}

template <class... X>
constexpr refused_answer refused_answer::operator()(X const&...) const {
  return {};
}
template <class I>
constexpr refused_answer refused_answer::operator[](I const&) const {
  return {};
}
constexpr refused_answer refused_answer::operator*() const { return {}; }
template <class... Index>
constexpr refused_answer refused_answer::at(Index const&...) const {
  return {};
}
template <class... X>
constexpr refused_answer refused_answer::get(X const&...) const {
  return {};
}
template <class... X>
constexpr refused_answer refused_answer::set(X const&...) const {
  return {};
}

inline constexpr refused_answer refused_members::shape{}, refused_members::ndim{}, refused_members::rank{},
    refused_members::size{}, refused_members::nbytes{}, refused_members::dtype{}, refused_members::weak_type{},
    refused_members::vma{}, refused_members::mesh{}, refused_members::sharding{}, refused_members::devices{},
    refused_members::device{}, refused_members::device_ids{}, refused_members::axis_names{},
    refused_members::axis_types{}, refused_members::is_fully_addressable{}, refused_members::is_fully_replicated{},
    refused_members::addressable_shards{}, refused_members::is_released{}, refused_members::release{},
    refused_members::to_host{}, refused_members::copy_to{}, refused_members::id{}, refused_members::block_until_ready{},
    refused_members::spec{}, refused_members::memory{}, refused_members::with_spec{}, refused_members::with_memory{},
    refused_members::with_memory_kind{}, refused_members::parts{}, refused_members::part_at{},
    refused_members::shard_shape{}, refused_members::devices_indices_map{}, refused_members::is_equivalent_to{},
    refused_members::text{}, refused_members::where{}, refused_members::index{}, refused_members::replica_id{},
    refused_members::platform{}, refused_members::start{}, refused_members::stop{}, refused_members::elements{},
    refused_members::data{}, refused_members::front{}, refused_members::back{}, refused_members::empty{};

}  // namespace tessera
