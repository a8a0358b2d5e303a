// SPDX-License-Identifier: Apache-2.0
#pragma once
// type_text<decltype(x)>: the text of a type as a constant, inside traced code too.
//   static_assert(ts::type_text<decltype(h)> == "float32[512@dp,4096@mp]");

#include <tessera/aval/array_type.hpp>

namespace tessera {
namespace detail {

// Counts what would be written, so that the buffer of a constant text is exactly as long as the text.
struct text_length {
  std::size_t count = 0;
  constexpr text_length& operator+=(char) {
    ++count;
    return *this;
  }
  constexpr text_length& operator+=(std::string_view text) {
    count += text.size();
    return *this;
  }
};

template <class T>
struct array_type_found_in {};
template <ArrayType A>
struct array_type_found_in<A> {
  using type = A;
};
template <class T>
  requires(!ArrayType<T>)
&&ArrayType<typename T::type> struct array_type_found_in<T> { using type = typename T::type; };
template <class T>
  requires std::is_arithmetic_v<T>
struct array_type_found_in<T> {
  using number = std::conditional_t<std::is_floating_point_v<T>, float, std::int32_t>;
  using type = array_type<std::conditional_t<std::is_same_v<T, bool>, bool, weak<number>>, shape<>, P<>, no_mesh>;
};

template <TypedNumber T>
  requires(!std::is_arithmetic_v<T>)
struct array_type_found_in<T> {
  using type = array_type<element_of<dtype_of<T>()>, shape<>, P<>, no_mesh>;
};

template <class T>
  requires requires { typename T::error; }
struct array_type_found_in<T> {  // of a refused operation: what takes array types takes it in silence
  using type = T;
};

template <ArrayType A>
struct type_text_of {
  static constexpr auto buffer = [] {
    constexpr std::size_t length = [] {
      text_length counted;
      describe_to(counted, A::value, A::mesh::value);
      return counted.count;
    }();
    fixed_text<length> text;
    describe_to(text, A::value, A::mesh::value);
    return text;
  }();
  static constexpr std::string_view text = buffer.view();
};

// Of a refused operation, whose error is said where the program enters: what its text is compared with, it equals.
struct refused_text {
  constexpr operator std::string_view() const { return "(refused)"; }
  friend constexpr bool operator==(refused_text, std::string_view) { return true; }
  template <class Traits>
  friend std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, refused_text) {
    return out;
  }
};
template <class T>
struct text_of_any : type_text_of<typename array_type_found_in<T>::type> {};
template <class T>
  requires requires { typename T::error; }
struct text_of_any<T> {
  static constexpr refused_text text{};
};

}  // namespace detail

// The array_type of a traced handle, an array, a number, or an array_type itself.
template <class T>
using array_type_in = typename detail::array_type_found_in<std::remove_cvref_t<T>>::type;

// Its text; for the result of a refused operation "(refused)", and equal to any text: asking adds no second error.
template <class T>
inline constexpr auto type_text = detail::text_of_any<std::remove_cvref_t<T>>::text;

}  // namespace tessera
