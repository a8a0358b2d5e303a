// SPDX-License-Identifier: Apache-2.0
#pragma once
// best_layout<F, Args...>(goal): the layouts of F's arguments over the Auto axes of their mesh with which its program
// moves and computes least within a memory budget, as types:
//   std::cout << best_layout<step, parameters, batch>({.memory = 1 << 30});
//   // in_shardings<layer<P<none, mp>, P<mp>>, P<dp>>, out_shardings<layer<P<none, mp>, P<mp>>, unspecified>
// On a network of fast and slow axes: best_layout<F, Args...>(topology<M>{}.with<dp>({cables}).with<mp>({chips})).
// A search at run time, without devices: it runs nothing. Leaves with one name and type (a model's layers), and
// arguments of one type (parameters, moments), get equal layouts; results that have the type of an argument get its
// layout. Starting from all arguments whole, data split, and all split, it tries each leaf's layouts in turn until none
// is cheaper, with some hundreds of plans. The objective is comm_of's bytes and the products' operations. The search is
// our own.

#include <tessera/api/jit.hpp>
#include <tessera/base/type_name.hpp>
#include <tessera/plan/cost/predict.hpp>

#include <algorithm>
#include <iosfwd>
#include <limits>
#include <string>
#include <vector>

namespace tessera {

struct layout_goal {
  std::int64_t memory = std::numeric_limits<std::int64_t>::max();  // bytes of a device, arguments and results included
  // The operations that take as long as sending a byte, along the cheapest axis if axes have prices.
  std::int64_t work_for_a_byte = detail::program_cost::work_for_a_byte;
};

struct advised_layouts {
  struct argument {
    std::string path;  // "0.layers.1.wq"
    std::string spec;  // "P<none, mp>"
  };
  std::vector<argument> arguments;
  std::string in_shardings, out_shardings;  // types
  std::int64_t bytes = 0;                   // sent per device and call
  std::int64_t work = 0;                    // operations of a device's products
  std::int64_t peak_bytes = 0;              // memory of a device
  bool fits = true;                         // within the memory budget
  int plans = 0;                            // the number of plans
};
std::ostream& operator<<(std::ostream& out, advised_layouts const& advice);

namespace detail {

// A program whose arguments' layouts are searched. Leaves with the same number get equal layouts. -1: a number, or left
// to the planner.
struct layout_question {
  graph_view traced;
  std::vector<int> inputs, outputs;
  by_dim<std::int32_t> prices{};  // of a byte along each axis; none: the mesh's own
};
struct layout_answer {
  std::vector<std::string> specs;  // of each number
  program_cost cost;
  std::int64_t peak_bytes = 0;
  bool fits = true;
  int plans = 0;
};
layout_answer search_layouts(layout_question const& question, layout_goal const& goal);

// layers.0.wq and layers.1.wq are one name.
std::string without_positions(std::string const& path);

// "layer" for ns::layer<...>.
template <class T>
std::string template_name() {
  std::string_view text = written_name_of<T>();
  text = text.substr(name_start, text.find('<', name_start) - name_start);
  if (auto const scope = text.rfind("::"); scope != std::string_view::npos) text = text.substr(scope + 2);
  return std::string(text);
}
struct leaf_names {
  std::vector<std::string> paths, keys;  // keys: leaves with equal layouts have one

  template <class T>
  void add(std::string const& key, std::string const& path, T const& tree) {
    tree_each_with_path(
        [&](std::string const& at, auto const& leaf) {
          using L = std::remove_cvref_t<decltype(leaf)>;
          paths.push_back(at);
          std::string const inside = at.substr(path.size() + (at.size() > path.size() && !path.empty()));
          keys.push_back(key + without_positions(inside) + " " + std::string(written_name_of<L>()));
        },
        tree, path);
  }
};
// A tree of specs for T, with one leaf after the other from `next`; a single spec if all are equal.
template <class T, class Next>
std::string specs_text(Next const& next) {
  if constexpr (!Tree<T>) {
    return next();
  } else {
    std::vector<std::string> parts;
    with_parts(T{}, [&](auto const&... part) {
      (parts.push_back(specs_text<std::remove_cvref_t<decltype(part)>>(next)), ...);
    });
    bool same = true;
    for (auto const& p : parts) same = same && p == parts[0];
    if (same) return parts[0];
    std::string text = (is_std_tree<T> ? "std::tuple" : template_name<T>()) + "<";
    for (std::size_t i = 0; i < parts.size(); ++i) text += (i ? ", " : "") + parts[i];
    return text + ">";
  }
}

// The elements of a tuple of results, or the single result.
template <class R>
struct result_parts {
  using type = std::tuple<R>;
};
template <class... R>
struct result_parts<std::tuple<R...>> {
  using type = std::tuple<R...>;
};

}  // namespace detail

namespace detail {
template <class F, class... Args>
advised_layouts advise_layouts(layout_goal const& goal, by_dim<std::int32_t> const& prices) {
  using T = trace_of<std::remove_cv_t<F>, signature_of<Args>...>;
  using results = typename result_parts<typename T::result>::type;
  leaf_names in, out;
  int position = 0;
  (in.add(std::string(written_name_of<signature_of<Args>>()), std::to_string(position++), signature_of<Args>{}), ...);
  std::apply(
      [&](auto const&... r) {
        (out.add(std::string(written_name_of<std::remove_cvref_t<decltype(r)>>()), "", r), ...);
      },
      results{});
  std::vector<std::string> keys;
  layout_question question{T::program.view(), {}, {}, prices};
  graph_view const& g = question.traced;
  for (int i = 0; i < g.input_count; ++i) {
    auto const at = std::find(keys.begin(), keys.end(), in.keys[i]);
    question.inputs.push_back(g[g.inputs[i]].facts.rank == 0 ? -1 : static_cast<int>(at - keys.begin()));
    if (at == keys.end()) keys.push_back(in.keys[i]);
  }
  for (auto const& key : out.keys) {
    auto const at = std::find(keys.begin(), keys.end(), key);
    question.outputs.push_back(at == keys.end() ? -1 : static_cast<int>(at - keys.begin()));
  }
  layout_answer const found = search_layouts(question, goal);
  advised_layouts advice;
  auto const spec_of = [&](int key) { return key < 0 ? std::string("unspecified") : found.specs[key]; };
  for (std::size_t i = 0; i < question.inputs.size(); ++i)
    advice.arguments.push_back({in.paths[i], spec_of(question.inputs[i])});
  auto const listed = [&](std::vector<int> const& of, auto const& trees, std::string const& name) {
    std::size_t next = 0;
    auto const leaf = [&] { return spec_of(of[next++]); };
    std::string text;
    std::apply(
        [&](auto const&... t) {
          ((text += (text.empty() ? "" : ", ") + specs_text<std::remove_cvref_t<decltype(t)>>(leaf)), ...);
        },
        trees);
    return name + "<" + text + ">";
  };
  advice.in_shardings = listed(question.inputs, std::tuple<signature_of<Args>...>{}, "in_shardings");
  advice.out_shardings = listed(question.outputs, results{}, "out_shardings");
  advice.bytes = found.cost.bytes;
  advice.work = found.cost.work;
  advice.peak_bytes = found.peak_bytes;
  advice.fits = found.fits;
  advice.plans = found.plans;
  return advice;
}
template <class F, class... Args>
using mesh_of_program = typename trace_of<std::remove_cv_t<F>, signature_of<Args>...>::mesh;
}  // namespace detail

namespace functions {

template <class F, class... Args>
advised_layouts best_layout(layout_goal const& goal = {}) {
  return detail::advise_layouts<F, Args...>(goal, {});
}
// On a network: bytes along slow axes cost more, by their bandwidths. Latencies are ignored.
template <class F, class... Args>
advised_layouts best_layout(topology<detail::mesh_of_program<F, Args...>> const& network,
                            layout_goal const& goal = {}) {
  return detail::advise_layouts<F, Args...>(goal, network.byte_prices());
}
// The same, with the time that these devices need for products.
template <class F, class... Args>
advised_layouts best_layout(topology<detail::mesh_of_program<F, Args...>> const& network, device_rates const& rates,
                            layout_goal goal = {}) {
  double const fastest = network.fastest();
  if (fastest > 0 && rates.matrix_flops > 0)
    goal.work_for_a_byte = std::max<std::int64_t>(1, static_cast<std::int64_t>(rates.matrix_flops / fastest));
  return detail::advise_layouts<F, Args...>(goal, network.byte_prices());
}

}  // namespace functions

}  // namespace tessera
