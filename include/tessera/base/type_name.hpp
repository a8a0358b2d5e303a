// SPDX-License-Identifier: Apache-2.0
#pragma once
// The name a user gave a type, without its scopes: what errors and type texts print for an axis.

#include <string_view>

namespace tessera {
namespace detail {

template <class T>
constexpr std::string_view written_name_of() {
  return __PRETTY_FUNCTION__;
}

inline constexpr std::size_t name_start = written_name_of<int>().find("int", written_name_of<int>().find('='));
inline constexpr std::size_t name_tail = written_name_of<int>().size() - name_start - 3;

}  // namespace detail

// type_name<main()::dp>() == "dp": g++ scopes local types by their function, nvcc by a file-unique namespace.
template <class T>
constexpr std::string_view type_name() {
  std::string_view text = detail::written_name_of<T>();
  text = text.substr(detail::name_start, text.size() - detail::name_start - detail::name_tail);
  if (auto scope = text.rfind("::"); scope != std::string_view::npos) text = text.substr(scope + 2);
  return text;
}

}  // namespace tessera
