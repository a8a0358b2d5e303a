// SPDX-License-Identifier: Apache-2.0
#pragma once
// What Python and C++ expect of an array that it does not have, x[0], x.sum(), for (auto row : x): a sentence for each.

#include <tessera/base/written_so.hpp>

namespace tessera::written {

template <class... X>
struct subscript {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: an array has no []. Fix: x.at(0).get(), x.at(span(1, 3)).get() to read, y = "
                  "x.at(0).set(v) to write.");
  }
};
template <class... X>
struct no_tuple {
  static consteval void explain() {
    static_assert(
        written_so<X...>,
        "tessera: this is one value and no tuple. Fix: x.at(0).get() is its first row, unstack(x) a tuple of its "
        "rows; a function that returns std::tuple{x, y} has two results.");
  }
};
template <class... X>
struct extent_as_call {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: shape() has all extents. Fix: x.shape()[0]; static_assert(x.shape()[0] == 8).");
  }
};
template <class... X>
struct as_method {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: what NumPy has as methods are functions. Fix: sum(x) for x.sum(), sum<0>(x) for x.sum(0), "
                  "reshape<4, 8>(x) for x.reshape(4, 8), astype<float>(x); x.T(), x.at(i), x.item() are methods.");
  }
};
template <class... X>
struct shown_as_array {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: types and layouts are those of arrays. Fix: typeof_(x) and visualize(x) of x = "
                  "device_put(host<8, 4>(v)), or of a constant zeros<float, 8, 4>(), for typeof_.");
  }
};
template <class... X>
struct several_elements {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: item() is the number of an array with one element. Fix: sum(x).item(), "
                  "x.at(0, 0).get().item() for one of several, x.to_host() for all.");
  }
};
template <class... X>
struct elements_miscounted {
  static consteval void explain() {
    static_assert(
        written_so<X...>,
        "tessera: the shape has another number of elements than the data. Fix: host<8, 4>(data) of 32 elements, "
        "host<dynamic, 4>(data) of any number of rows.");
  }
};
template <class... X>
struct constant_as_variable {
  static consteval void explain() {
    static_assert(
        written_so<X...>,
        "tessera: the type of a constant, as zeros, a key or draws make it outside of jit, is what it is made by: no other "
        "value fits into its variable, nor it into an array's. Fix: make the variable an array, auto key = "
        "device_put(random::key(0)), auto state = jit([](auto p) { return optimizer.init(p); })(p).");
  }
};
template <class... X>
struct as_range {
  static consteval void explain() {
    static_assert(written_so<X...>,
                  "tessera: an array is no range of C++. Fix: x.at(i).get() is a row, scan(f, init, x) and map(f, x) "
                  "go through them; x.to_host() has the numbers.");
  }
};

}  // namespace tessera::written
