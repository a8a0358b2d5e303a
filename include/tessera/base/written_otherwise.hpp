// SPDX-License-Identifier: Apache-2.0
#pragma once
// What Python and C++ write otherwise than this library, x[0], sum(x, 0), std::sin(x): a sentence for each. Asked of the types
// it is written with, so that nothing is said before it is.

namespace tessera::written {

template <class...>
inline constexpr bool written_so = false;

template <class... X>
struct subscript {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: an array has no []. Fix: x.at(0).get(), x.at(span(1, 3)).get() to read, y = "
                  "x.at(0).set(v) to write.");
  }
};
template <class... X>
struct in_std {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: functions of namespace std take C++ numbers, neither arrays nor traced "
                  "values. Fix: ts::sin(x) for std::sin(x).");
  }
};
template <class... X>
struct dims_as_arguments {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: dimensions are template arguments here. Fix: sum<0>(x), sum<0, 1>(x, keepdims), "
                  "transpose<1, 0>(x), concatenate<0>(x, y); maximum(x, y) takes two values.");
  }
};
template <class... X>
struct shape_as_argument {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: shapes and numbers of elements are template arguments here. Fix: reshape<8, 4>(x), "
                  "zeros<float, 8, 4>(), arange<float, 8>(), random::normal<float, 8, 4>(key).");
  }
};
template <class... X>
struct axes_as_arguments {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: mesh axes are types and stand in angle brackets. Fix: struct dp : tessera::axis {}; "
                  "psum<dp>(x).");
  }
};
template <class... X>
struct spec_as_argument {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: device_put takes the spec in angle brackets, and the mesh. Fix: "
                  "device_put<P<dp>>(x, mesh), or device_put(x, named_sharding{mesh, P<dp>{}}).");
  }
};
template <class... X>
struct no_mesh {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: nothing says on which mesh. Fix: device_put<P<dp>>(x, mesh), or device_put<P<dp>, "
                  "grid>(x) on the current mesh of type grid, which use_mesh names.");
  }
};

}  // namespace tessera::written
