// SPDX-License-Identifier: Apache-2.0
#pragma once
// typeof_(x): the type of an array, a traced handle or a number, as an object; all of it is constant.
//   std::cout << ts::typeof_(y);                                   float32[512@dp,4096@mp]
//   static_assert(ts::typeof_(h).sharding().spec() == P<dp, mp>{});   h a constant; else typeof_t<decltype(h)>{}
//   x.at(i).get(ts::typeof_(h).sharding())                         laid out as h
// Source: JAX jax.typeof. Differs: a mesh in a type has no device_kind; sizes known at run time print "?".

#include <tessera/aval/type_text.hpp>
#include <tessera/base/arrays_otherwise.hpp>
#include <tessera/mesh/describe.hpp>
#include <tessera/op/base/out_sharding.hpp>
#include <tessera/spec/named_spec.hpp>
#include <tessera/trace/handle.hpp>

#include <iosfwd>

namespace tessera {

// NamedSharding(mesh=AbstractMesh('dp': 4, 'mp': 2, axis_types=(Explicit, Explicit)), spec=P('dp', 'mp'))
class abstract_sharding {
public:
  constexpr abstract_sharding(mesh_value const& mesh, spec_value const& spec) : spec_{spec, mesh} {}
  constexpr mesh_value const& mesh() const { return spec_.mesh; }
  constexpr named_spec const& spec() const { return spec_; }
  std::string text() const { return "NamedSharding(mesh=" + describe(mesh()) + ", spec=" + spec_.text() + ")"; }
  constexpr bool operator==(abstract_sharding const& other) const {
    return mesh() == other.mesh() && spec_ == other.spec_;
  }

private:
  named_spec spec_{};
};

// The sharding of a type, which is a type itself: where a layout is chosen, it means that layout,
// x.at(i).get(typeof_(y).sharding()), matmul(x, w, typeof_(y).sharding()).
template <Spec S, Mesh M>
class type_sharding : public abstract_sharding, public out_sharding_t<S, M> {
public:
  using abstract_sharding::abstract_sharding;
};

template <ArrayType A>
struct typeof_result {
  using type = A;

  static constexpr std::string_view text() { return type_text<A>; }
  static constexpr int ndim() { return A::rank; }
  static constexpr extents_list shape() { return A::value.shape(); }
  static constexpr tessera::dtype dtype() { return A::value.element; }
  static constexpr bool weak_type() { return A::value.weak; }
  static constexpr memory_kind memory() { return A::value.memory; }
  // As long as the shape: P('dp', None).
  static constexpr type_sharding<typename A::spec, typename A::mesh> sharding() {
    spec_value spec;
    spec.rank = A::rank;
    spec.entries = A::value.spec;
    spec.unreduced = A::value.unreduced;
    spec.reduced = A::value.reduced;
    return {A::mesh::value, spec};
  }
  // The names of the manual axes over which it varies, in mesh order: prints {'dp', 'mp'}.
  static constexpr axis_name_set vma() {
    axis_name_set names;
    for (int a = 0; a < A::mesh::rank; ++a)
      if (A::value.varying.contains(a)) names.push_back(A::mesh::value.name(a));
    return names;
  }

  constexpr operator std::string_view() const { return text(); }
  explicit operator std::string() const { return std::string(text()); }
  template <ArrayType B>
  constexpr bool operator==(typeof_result<B>) const {
    return A::value == B::value && std::is_same_v<typename A::mesh, typename B::mesh>;
  }
  constexpr bool operator==(std::string_view other) const { return text() == other; }
};

namespace detail {
template <class T>
struct typeof_of {};
template <class T>
  requires(!Refused<T> && requires { typename tessera::array_type_in<T>; })
struct typeof_of<T> {
  using type = typeof_result<tessera::array_type_in<T>>;
};
template <Refused T>
struct typeof_of<T> {
  using type = refused_answer;
};
}  // namespace detail

template <class T>
using typeof_t = typename detail::typeof_of<std::remove_cvref_t<T>>::type;

namespace functions {

template <class T>
constexpr typeof_t<T> typeof_(T const&) {
  return {};
}
// Of something else: one sentence.
template <class T>
  requires(!requires { typename tessera::array_type_in<T>; } && !Refused<T>)
constexpr refused_answer typeof_(T const&) {
  written::shown_as_array<T>::explain();
  return {};
}
// For a refused call, whose error was reported already.
template <class Error>
constexpr poisoned<Error> typeof_(poisoned<Error> const& x) {
  return x;
}

}  // namespace functions

template <class Traits, ArrayType A>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, typeof_result<A>) {
  return out << type_text<A>;
}
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, abstract_sharding const& sharding) {
  return out << sharding.text();
}
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, dtype element) {
  return out << name_of(element);
}

}  // namespace tessera
