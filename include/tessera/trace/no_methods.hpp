// SPDX-License-Identifier: Apache-2.0
#pragma once
// x.sum(), x.reshape(8, 4): NumPy's methods are functions here, sum(x), and the methods one error sentence.

#include <tessera/base/arrays_otherwise.hpp>
#include <tessera/trace/located.hpp>

#include <cstdint>
#include <initializer_list>

namespace tessera::detail {

// What Python and C++ write otherwise than this library: base/arrays_otherwise.hpp. trace/poison.hpp
template <template <class...> class Written, class X>
constexpr auto refused_as(X const& x, site at);

struct any_argument {
  constexpr any_argument() = default;
  template <class T>
  constexpr any_argument(T const&) {}
  constexpr any_argument(std::initializer_list<std::int64_t>) {}
};

// What a method returns is written where the macro is used, so that notes of compilers show that line.
template <class Self>
struct no_methods {
#define TESSERA_NO_METHOD(NAME, ...)                                                              \
  template <auto... Given>                                                                        \
  constexpr auto NAME(any_argument = {}, any_argument = {}, any_argument = {}, any_argument = {}, \
                      site at = std::source_location::current()) const {                          \
    return __VA_ARGS__;                                                                           \
  }
  TESSERA_NO_METHOD(sum, refused_as<written::as_method>(static_cast<Self const&>(*this), at))
  TESSERA_NO_METHOD(mean, refused_as<written::as_method>(static_cast<Self const&>(*this), at))
  TESSERA_NO_METHOD(max, refused_as<written::as_method>(static_cast<Self const&>(*this), at))
  TESSERA_NO_METHOD(min, refused_as<written::as_method>(static_cast<Self const&>(*this), at))
  TESSERA_NO_METHOD(prod, refused_as<written::as_method>(static_cast<Self const&>(*this), at))
  TESSERA_NO_METHOD(var, refused_as<written::as_method>(static_cast<Self const&>(*this), at))
  TESSERA_NO_METHOD(any, refused_as<written::as_method>(static_cast<Self const&>(*this), at))
  TESSERA_NO_METHOD(all, refused_as<written::as_method>(static_cast<Self const&>(*this), at))
  TESSERA_NO_METHOD(argmax, refused_as<written::as_method>(static_cast<Self const&>(*this), at))
  TESSERA_NO_METHOD(argmin, refused_as<written::as_method>(static_cast<Self const&>(*this), at))
  TESSERA_NO_METHOD(cumsum, refused_as<written::as_method>(static_cast<Self const&>(*this), at))
  TESSERA_NO_METHOD(sort, refused_as<written::as_method>(static_cast<Self const&>(*this), at))
  TESSERA_NO_METHOD(dot, refused_as<written::as_method>(static_cast<Self const&>(*this), at))
  TESSERA_NO_METHOD(matmul, refused_as<written::as_method>(static_cast<Self const&>(*this), at))
  TESSERA_NO_METHOD(reshape, refused_as<written::as_method>(static_cast<Self const&>(*this), at))
  TESSERA_NO_METHOD(transpose, refused_as<written::as_method>(static_cast<Self const&>(*this), at))
  TESSERA_NO_METHOD(ravel, refused_as<written::as_method>(static_cast<Self const&>(*this), at))
  TESSERA_NO_METHOD(flatten, refused_as<written::as_method>(static_cast<Self const&>(*this), at))
  TESSERA_NO_METHOD(squeeze, refused_as<written::as_method>(static_cast<Self const&>(*this), at))
  TESSERA_NO_METHOD(take, refused_as<written::as_method>(static_cast<Self const&>(*this), at))
  TESSERA_NO_METHOD(clip, refused_as<written::as_method>(static_cast<Self const&>(*this), at))
  TESSERA_NO_METHOD(round, refused_as<written::as_method>(static_cast<Self const&>(*this), at))
  TESSERA_NO_METHOD(conj, refused_as<written::as_method>(static_cast<Self const&>(*this), at))
#undef TESSERA_NO_METHOD
  // x.astype<float>(), x.astype("float32")
  template <class... Given>
  constexpr auto astype(any_argument = {}, site at = std::source_location::current()) const {
    return refused_as<written::as_method>(static_cast<Self const&>(*this), at);
  }
};

}  // namespace tessera::detail
