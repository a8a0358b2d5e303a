// SPDX-License-Identifier: Apache-2.0
#pragma once
// An error's facts in words, for compilers that print computed text (from C++26 on): the sentence, then
//   add: lhs float32[8@dp,4], rhs float32[8@mp,4], dimension 0, over dp mp, reshard_rhs P('dp'), line 11

#include <tessera/aval/describe.hpp>
#include <tessera/aval/type_text.hpp>
#include <tessera/error/communicates_otherwise.hpp>
#include <tessera/error/component.hpp>
#include <tessera/error/facts.hpp>
#include <tessera/spec/named_spec.hpp>

namespace tessera::error {

// What static_assert asks of a message.
struct message : fixed_text<2000> {
  using fixed_text<2000>::operator+=;
  constexpr char const* data() const { return chars.data(); }
};

namespace detail {

// lhs of tessera::error::lhs<float, 8, 4>::P<dp>.
template <class T>
constexpr void say_label(message& text) {
  std::string_view name = __PRETTY_FUNCTION__;
  name = name.substr(name.find('=') + 2);
  name = name.substr(0, name.find('<'));
  if (text.view().back() != ' ') text += ", ";
  text += name.substr(name.rfind(':') + 1);
  text += ' ';
}

template <class... A>
constexpr void say_names(message& text) {
  bool first = true;
  (((first ? void() : void(text += ' ')), text += axis_name<A>, first = false), ...);
}
template <std::int64_t... N>
constexpr void say_numbers(message& text) {
  bool first = true;
  (((first ? void() : void(text += ' ')), append_number(text, N), first = false), ...);
}

template <class Fact>
struct in_words {
  static constexpr void say(message& text) { text += type_name<Fact>(); }
};
template <class T>
constexpr std::string_view written() {
  std::string_view text = __PRETTY_FUNCTION__;
  text = text.substr(text.find('=') + 2);
  return text.substr(0, text.find_last_of(']') < text.find(';') ? text.find_last_of(']') : text.find(';'));
}
template <class T>
struct in_words<given<T>> {
  static constexpr void say(message& text) { text += written<T>(); }
};
template <template <class...> class Fact, Axis... A>
  requires(sizeof...(A) > 0)
struct in_words<Fact<A...>> {
  static constexpr void say(message& text) { say_names<A...>(text); }
};
template <template <auto...> class Fact, auto... N>
struct in_words<Fact<N...>> {
  static constexpr void say(message& text) { say_numbers<static_cast<std::int64_t>(N)...>(text); }
};
template <template <class> class Fact, class... Entries>
struct in_words<Fact<tessera::P<Entries...>>> {
  static constexpr void say(message& text) {
    using mesh = tessera::detail::mesh_of_parts<Entries...>;
    describe_to(text, spec_value_of<mesh, tessera::P<Entries...>>, mesh::value);
  }
};

template <class T>
struct is_state : std::false_type {};
template <class... A>
struct is_state<varying<A...>> : std::true_type {};
template <class... A>
struct is_state<unreduced<A...>> : std::true_type {};
template <class... A>
struct is_state<reduced<A...>> : std::true_type {};

template <class Element, class Shape, class M, class Entries, class States>
struct array_again;
template <class Element, class Shape, class M, class... Entries, class... States>
struct array_again<Element, Shape, M, boost::mp11::mp_list<Entries...>, boost::mp11::mp_list<States...>> {
  using type = array_type<Element, Shape, tessera::P<Entries...>, M, States...>;
};

template <class Element, class Shape, class... Layout>
constexpr void say_array(message& text, array_fact<Element, Shape, Layout...> const*) {
  using parts = boost::mp11::mp_partition<boost::mp11::mp_list<Layout...>, is_state>;
  using type = typename array_again<Element, Shape, tessera::detail::mesh_of_parts<Layout...>,
                                    boost::mp11::mp_second<parts>, boost::mp11::mp_first<parts>>::type;
  text += type_text<type>;
}
template <class Fact>
constexpr void say_fact(message& text) {
  say_label<Fact>(text);
  if constexpr (requires { say_array(text, static_cast<Fact const*>(nullptr)); })
    say_array(text, static_cast<Fact const*>(nullptr));
  else
    in_words<Fact>::say(text);
}

}  // namespace detail

namespace detail {
template <fixed_string Path, class... Facts>
struct in_words<component<Path, Facts...>> {
  static constexpr void say(message& text) {
    text += Path.view();
    text += ' ';
    (say_fact<Facts>(text), ...);
  }
};
template <auto Enumerator>
constexpr std::string_view enumerator_name() {
  std::string_view text = __PRETTY_FUNCTION__;
  text = text.substr(0, text.find_last_of(']'));
  return text.substr(text.rfind(':') + 1);
}
template <auto Collective, class... Facts>
struct in_words<sends<Collective, Facts...>> {
  static constexpr void say(message& text) {
    text += enumerator_name<Collective>();
    text += ' ';
    (say_fact<Facts>(text), ...);
  }
};
template <class Op>
struct in_words<by<Op>> {
  static constexpr void say(message& text) { text += type_name<Op>(); }
};
}  // namespace detail

template <class Op, class... Facts>
constexpr message full_text(std::string_view sentence) {
  message text;
  text += sentence;
  text += ' ';
  text += type_name<Op>();
  text += ": ";
  (detail::say_fact<Facts>(text), ...);
  return text;
}

}  // namespace tessera::error
