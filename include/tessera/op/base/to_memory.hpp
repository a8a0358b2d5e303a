// SPDX-License-Identifier: Apache-2.0
#pragma once
// to_memory: x -> the same values and layout in the memory of devices or of their host; x if it is there already. What is in
// host memory costs no memory of a device, and is not computed on. Bytes: the blocks, once between a device and its host;
// none between devices. Gradients are in device memory, tangents where their values are; in JAX both are where their
// values are. Its door: transform/device_put.hpp.

#include <tessera/graph/backward.hpp>
#include <tessera/rule/own_params.hpp>

namespace tessera {

struct memory_params {
  bool on_host = false;
  constexpr memory_kind kind() const { return on_host ? memory_kind::host : memory_kind::device; }
  static constexpr void fields(auto& p, auto&& each) { each(p.on_host); }
};

namespace ops {

struct to_memory {
  static constexpr std::string_view name = "device_put";
  static constexpr op_class kind = op_class::identity;
  static constexpr verdict rule(rule_input const& in) {
    array_value moved = in[0];
    moved.memory = in.attrs.as<memory_params>().kind();
    return accept(moved);
  }
  template <class B>
  static constexpr term build(B& b, term const* x, int, attributes const& attrs) {
    if (x[0].facts().memory == attrs.as<memory_params>().kind()) return x[0];
    return b.template emit<to_memory>({x[0]}, attrs);
  }
  template <class B>
  static constexpr void transpose(B& back, int) {
    back.give(0, back.cotangent());
  }
};

}  // namespace ops

namespace detail {
template <class B>
constexpr term moved_into(B& b, term x, memory_kind kind) {
  return tessera::make<ops::to_memory>(b, {x}, memory_params{kind == memory_kind::host});
}
}  // namespace detail

}  // namespace tessera
