// SPDX-License-Identifier: Apache-2.0
#pragma once
// explain<F, Args...>(): what F called with these arguments (arrays or array types) sends and stores, as a text: the
// tables of comm_of and memory_of, and for each message the reason: which operation needs which value in which layout.
//   std::cout << ts::explain<step, P, X>({"params", "x"});
// explain_html, explain_svg and explain_dot show the same as a picture: engine/view/explain_program.hpp,
// engine/view/plan_drawing.hpp. `names`: names of the arguments for the text. Nothing runs, and no devices are needed:
// the program is planned as jit plans it.

#include <tessera/base/type_name.hpp>
#include <tessera/trace/why.hpp>
#include <tessera/view/asked_program.hpp>

#include <initializer_list>
#include <string_view>

namespace tessera {
namespace detail {

struct name_inputs {
  std::string* names;
  template <class Storage, class A>
  void operator()(std::string const& path, number_type<Storage, A> const&) const {
    *names += path + '\n';
  }
  template <class A>
  void operator()(std::string const& path, A const&) const {
    if constexpr (ArrayType<A>) *names += path + '\n';
  }
};
template <class T>
inline constexpr bool has_known_sizes = [] {
  graph_view const g = T::program.view();
  bool known = true;
  for (int i = 0; i < g.mesh->rank; ++i) known = known && g.mesh->size(i) != dynamic;
  for (int i = 0; i < g.input_count; ++i) known = known && g[g.inputs[i]].facts.size() != dynamic;
  return known;
}();

// For signatures. A null pointer if F is refused: its error was reported already.
template <class F, class... Args>
std::string explained_by(std::string (*say)(asked_program const&), std::initializer_list<std::string_view> names) {
  using refused = why<F, Args...>;
  if constexpr (!std::is_void_v<refused>) {
    refused::explain();
    return {};
  } else {
    using T = trace_of<F, Args...>;
    static_assert(
        has_known_sizes<T>,
        "tessera: what is explained has its sizes in its types. Fix: explain(comm_of<F, Args...>) where they are "
        "not known.");
    asked_program asked{T::program.view(), std::string(type_name<F>()), {}};
    std::size_t i = 0;
    auto const prefix = [&] {
      std::string name = i < names.size() ? std::string(names.begin()[i]) : "argument " + std::to_string(i);
      ++i;
      return name;
    };
    (tree_each_with_path(name_inputs{&asked.inputs}, Args{}, prefix()), ...);
    return say(asked);
  }
}

}  // namespace detail

template <class F, class... Args>
std::string explain(std::initializer_list<std::string_view> names = {}) {
  return detail::explained_by<std::remove_cv_t<F>, signature_of<Args>...>(&detail::explanation, names);
}
// One self-contained page: operations with their layouts, messages and lines, memory over time, and the source, if its
// file can be read.
template <class F, class... Args>
std::string explain_html(std::initializer_list<std::string_view> names = {}) {
  return detail::explained_by<std::remove_cv_t<F>, signature_of<Args>...>(&detail::explanation_html, names);
}
// The operations and the messages between them as an SVG document, and as Graphviz text.
template <class F, class... Args>
std::string explain_svg(std::initializer_list<std::string_view> names = {}) {
  return detail::explained_by<std::remove_cv_t<F>, signature_of<Args>...>(&detail::explanation_svg, names);
}
template <class F, class... Args>
std::string explain_dot(std::initializer_list<std::string_view> names = {}) {
  return detail::explained_by<std::remove_cv_t<F>, signature_of<Args>...>(&detail::explanation_dot, names);
}

}  // namespace tessera
