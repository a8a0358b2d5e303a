// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a checkpoint saves for its gradient: checkpoint(f, policy). A policy is a function of a value in f:
//   [](saveable const& v) { return v.is_dot() || v.is_named("attention"); }
//   [](saveable const& v) { return v.bytes() > 1 << 20 ? residual::offload : residual::save; }
// checkpoint_policies has JAX's. A value of a loop or branch inside of f is computed again in any case. Bytes of memory: those
// of what is kept; memory_of<...>.kept_for_backward counts them. What is offloaded is moved to host memory by the forward pass
// and back by the backward pass: memory_of<...>.on_host, to_host, to_device.
// checkpoint_name<"attention">(x): x, with a name for policies.
// Source: JAX 0.10.2 jax.checkpoint_policies, jax.ad_checkpoint.checkpoint_name.

#include <tessera/base/text.hpp>
#include <tessera/control/loop_result.hpp>
#include <tessera/op/base/door.hpp>
#include <tessera/op/base/foundation.hpp>
#include <tessera/op/base/to_memory.hpp>
#include <tessera/rule/bytes.hpp>
#include <tessera/rule/own_params.hpp>

#include <array>

namespace tessera {

struct name_params {
  std::int32_t const* text = nullptr;  // its length, then its characters
  static constexpr void fields(auto& p, auto&& each) { each(p.text); }
};

namespace ops {

struct checkpoint_name {
  static constexpr std::string_view name = "checkpoint_name";
  static constexpr op_class kind = op_class::identity;
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    return {&b, b.push(info<checkpoint_name>, &x[0].id, 1, attrs, x[0].facts())};
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    back.give(0, back.cotangent());
  }
};

}  // namespace ops

// A value of a function that is checkpointed, as its policy sees it.
class saveable {
public:
  constexpr saveable(builder const& b, int id) : b_(b), id_(id) {}

  // The operation that computes it, its facts: shape, dtype, layout.
  constexpr std::string_view name() const { return recorded().op->name; }
  constexpr array_value const& facts() const { return recorded().facts; }
  // Its elements on one device, in bytes.
  constexpr std::int64_t bytes() const { return rule::block_bytes(facts(), b_.mesh()); }
  constexpr bool is_dot() const { return recorded().op->kind == op_class::dot; }
  // Of a dot: whether it has batch dimensions.
  constexpr bool has_batch() const { return is_dot() && !recorded().attrs.as<dot_params>().lhs_batch.empty(); }
  // Whether it was computed in named_scope<"attention">, also as "block/attention".
  constexpr bool is_in(std::string_view scope) const { return recorded().at.scope.contains(scope); }
  constexpr bool is_named() const { return detail::is_op<ops::checkpoint_name>(recorded().op); }
  constexpr bool is_named(std::string_view wanted) const {
    if (!is_named()) return false;
    std::int32_t const* const text = recorded().attrs.as<name_params>().text;
    bool same = text[0] == static_cast<std::int32_t>(wanted.size());
    for (std::size_t i = 0; same && i < wanted.size(); ++i) same = text[i + 1] == wanted[i];
    return same;
  }

private:
  constexpr node const& recorded() const { return b_.at(id_); }
  builder const& b_;
  int id_;
};

// What a policy answers; true is `save`, false is `recompute`.
enum class residual : std::uint8_t { recompute, save, offload };

namespace detail {
constexpr residual residual_of(bool saves) { return saves ? residual::save : residual::recompute; }
constexpr residual residual_of(residual answer) { return answer; }
}  // namespace detail

namespace checkpoint_policies {

// names_saved<...>, names_offloaded<...>: for save_and_offload_only_these_names.
template <fixed_string... Names>
struct names_saved {
  static constexpr bool has(saveable const& v) { return (v.is_named(Names.view()) || ...); }
};
template <fixed_string... Names>
struct names_offloaded : names_saved<Names...> {};

inline constexpr auto nothing_saveable = [](saveable const&) { return false; };
inline constexpr auto everything_saveable = [](saveable const&) { return true; };
inline constexpr auto dots_saveable = [](saveable const& v) { return v.is_dot(); };
inline constexpr auto checkpoint_dots = dots_saveable;
inline constexpr auto dots_with_no_batch_dims_saveable = [](saveable const& v) { return v.is_dot() && !v.has_batch(); };
inline constexpr auto checkpoint_dots_with_no_batch_dims = dots_with_no_batch_dims_saveable;
template <fixed_string... Names>
inline constexpr auto save_only_these_names = [](saveable const& v) { return names_saved<Names...>::has(v); };
template <fixed_string... Names>
inline constexpr auto save_any_names_but_these =
    [](saveable const& v) { return v.is_named() && !names_saved<Names...>::has(v); };
template <fixed_string... Names>
inline constexpr auto save_anything_except_these_names =
    [](saveable const& v) { return !names_saved<Names...>::has(v); };
// What at least one of them saves.
template <class One, class Other>
struct save_from_both_policies {
  constexpr save_from_both_policies(One const&, Other const&) {}
  constexpr save_from_both_policies() = default;
  constexpr residual operator()(saveable const& v) const {
    residual const one = detail::residual_of(One{}(v));
    return one == residual::recompute ? detail::residual_of(Other{}(v)) : one;
  }
};

inline constexpr auto offload_dot_with_no_batch_dims = [](saveable const& v) {
  return v.is_dot() && !v.has_batch() ? residual::offload : residual::recompute;
};
template <class Saved, class Offloaded>
inline constexpr auto save_and_offload_only_these_names = [](saveable const& v) {
  return Offloaded::has(v) ? residual::offload : Saved::has(v) ? residual::save : residual::recompute;
};

}  // namespace checkpoint_policies

namespace detail {

template <fixed_string Name>
struct checkpoint_name_text {
  static constexpr auto value = [] {
    std::array<std::int32_t, Name.view().size() + 1> text{};
    text[0] = static_cast<std::int32_t>(Name.view().size());
    for (std::size_t i = 0; i < Name.view().size(); ++i) text[i + 1] = Name.view()[i];
    return text;
  }();
};
template <fixed_string Name>
struct checkpoint_named {
  template <Mesh M>
  static constexpr name_params on() {
    return {checkpoint_name_text<Name>::value.data()};
  }
};

// The values recorded since node `first` that a checkpoint can save: not those within loops and branches.
constexpr growable<int> values_to_choose(builder const& b, int first) {
  growable<bool> inside;
  inside.resize(b.size() - first, false);
  for (int id = first; id < b.size(); ++id) b.in_regions(id, [&](int n) { inside[n - first] = true; });
  growable<int> values;
  for (int id = first; id < b.size(); ++id) {
    node const& n = b.at(id);
    bool const value = n.operand_count > 0 && !n.region_count && !n.op->act && n.op->results == 1 &&
                       n.op->kind != op_class::rule && n.op->pair == pair_half::none;
    if (value && !inside[id - first]) values.push_back(id);
  }
  return values;
}
// Those that policy Saves saves, for the results `outputs`.
template <class Saves>
constexpr growable<int> values_to_save(builder& b, int first, growable<int> const& outputs) {
  static_assert(std::is_empty_v<Saves>,
                "tessera: a policy of checkpoint holds state. Fix: a lambda without captures, or checkpoint_policies.");
  if constexpr (requires { Saves::choose(b, first, outputs); }) {
    return Saves::choose(b, first, outputs);
  } else {
    growable<int> saved;
    for (int id : values_to_choose(b, first)) {
      residual const answer = residual_of(Saves{}(saveable(b, id)));
      if (answer == residual::save) saved.push_back(id);
      if (answer == residual::offload) saved.push_back(moved_into(b, term{&b, id}, memory_kind::host).id);
    }
    return saved;
  }
}
// Adds what a checkpoint saves as results; nothing else reads them.
constexpr void push_saved(builder& b, int loop, graph_region const& part, int results) {
  for (int k = results; k < part.output_count; ++k)
    (void)loop_result(b, loop, k, b.facts(b.recorded.region_values[part.first_output + k]));
}

}  // namespace detail

namespace functions {

template <fixed_string Name, class X>
constexpr auto checkpoint_name(X const& x, site at = std::source_location::current()) {
  return invoke<ops::checkpoint_name, detail::checkpoint_named<Name>>(at, x);
}

}  // namespace functions

}  // namespace tessera
