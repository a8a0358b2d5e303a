// SPDX-License-Identifier: Apache-2.0
#pragma once
// Looks for NaNs and infinities in blocks of memory, and in what the steps of a program write.

#include <tessera/aval/describe.hpp>
#include <tessera/aval/float_format.hpp>
#include <tessera/engine/exec/memory/device_blocks.hpp>
#include <tessera/engine/exec/run/step_label.hpp>
#include <tessera/exec/device/device.hpp>
#include <tessera/exec/memory/blocks.hpp>
#include <tessera/exec/run/debug_nans.hpp>

#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace tessera {

namespace detail {

// What is looked for.
struct value_watch {
  bool nans = false, infs = false;
  static value_watch now() {
    return {watchers_of(watched_value::nan).load(std::memory_order_relaxed) > 0,
            watchers_of(watched_value::inf).load(std::memory_order_relaxed) > 0};
  }
  explicit operator bool() const { return nans || infs; }

  // "NaN" or "inf" if one of the components of this element is one; otherwise null.
  char const* in(std::byte const* at, dtype element) const {
    int const parts = is_complex(element) ? 2 : 1, bytes = bytes_of(element) / parts;
    for (int k = 0; k < parts; ++k)
      if (char const* const found = in_real(at + k * bytes, element, bytes)) return found;
    return nullptr;
  }

private:
  // The exponent of a number that is not finite is all ones; what follows it is 0 for an infinity. A type without
  // infinity has one NaN, all ones.
  char const* in_real(std::byte const* at, dtype element, int bytes) const {
    std::uint64_t bits = 0;
    std::memcpy(&bits, at, bytes);  // law: the machine is little-endian (base/config.hpp)
    float_format const format = float_format_of(real_of(element));
    int const mantissa = format.digits - 1;
    bits &= (std::uint64_t{1} << (8 * bytes - 1)) - 1;
    std::uint64_t const infinity = ((std::uint64_t{1} << (8 * bytes - 1 - mantissa)) - 1) << mantissa;
    if (!format.has_infinity) return bits == infinity + (std::uint64_t{1} << mantissa) - 1 && nans ? "NaN" : nullptr;
    if (bits > infinity) return nans ? "NaN" : nullptr;
    return bits == infinity && infs ? "inf" : nullptr;
  }
};

constexpr bool may_be_invalid(array_value const& x) { return is_floating(x.element) || is_complex(x.element); }

// Calls f(address) until it returns true; returns whether it has, and leaves the place in `place`.
template <class F>
bool any_element(std::byte const* at, array_value const& block, strides const& where, int bytes, extents_list& place,
                 F const& f, int d = 0) {
  if (d == block.rank) return f(at);
  for (std::int64_t i = 0; i < block.extent(d); ++i) {
    place[d] = i;
    if (any_element(at + i * where.dim_stride[d] * bytes, block, where, bytes, place, f, d + 1)) return true;
  }
  return false;
}

// The first value of a block that is watched for: "NaN at (3, 2)", or "".
TESSERA_COLD inline std::string first_invalid(value_watch const& watch, std::byte const* at, array_value const& block,
                                              strides const& where) {
  if (block.size() == 0) return {};
  int const bytes = bytes_of(block.element);
  std::vector<std::byte> copied;
  if constexpr (!runs_on_host) {  // law: strides of blocks are not negative
    std::int64_t last = 0;
    for (int d = 0; d < block.rank; ++d) last += (block.extent(d) - 1) * where.dim_stride[d];
    copied.resize((last + 1) * bytes);
    copy_bytes(copied.data(), at, copied.size(), false);
    at = copied.data();
  }
  extents_list place = block.shape();
  char const* found = nullptr;
  auto const look = [&](std::byte const* element) { return (found = watch.in(element, block.element)) != nullptr; };
  if (!any_element(at, block, where, bytes, place, look)) return {};
  std::string text = std::string(found) + " at (";
  for (int d = 0; d < block.rank; ++d) (text += d ? ", " : "") += std::to_string(place[d]);
  return text + ")";
}

// Looks at what each step of a program has written, until a step has written something that is watched for. One is
// current while the program is bound and runs.
class nan_watch {
public:
  explicit nan_watch(value_watch const& what) : what_(what), before_(current_) { current_ = this; }
  nan_watch(nan_watch const&) = delete;
  nan_watch& operator=(nan_watch const&) = delete;
  ~nan_watch() { current_ = before_; }

  static nan_watch* current() { return current_; }
  // The sentence about the first step that made one; empty if none did.
  std::string const& found() const { return found_; }
  // How many steps were looked at until then.
  std::int64_t order() const { return order_; }

  // A call begins; `given`: the strides of its arguments, or null.
  TESSERA_COLD void look_at_arguments(plan_view const& plan, std::byte* const* frame, strides const* given) {
    locations const& where = where_.emplace(plan, given);
    for (int i = 0; i < plan.local.input_count && found_.empty(); ++i)
      if (std::string const bad = in(plan, where, plan.local.inputs[i], frame); !bad.empty())
        found_ = "tessera: argument " + std::to_string(i) + " of a program has " + bad +
                 ". Fix: look at what made it; it was made by no program that was watched.";
  }
  TESSERA_COLD void look_at(plan_view const& plan, int index, std::byte* const* frame) {
    if (!found_.empty()) return;
    ++order_;
    step const& s = plan.steps[index];
    if (s.kind == step_kind::loop) return;  // its steps were looked at
    for (int k = 0; k < s.outputs.count; ++k) {
      int const id = plan.lists[s.outputs.first + k];
      std::string const bad = in(plan, *where_, id, frame);
      if (bad.empty()) continue;
      node const& n = plan.local[id];
      found_ = "tessera: " + std::string(n.op->name) + (n.at.line ? ", " + text_of(n.at) : std::string()) +
               (n.at.scope.empty() ? "" : ", in " + scope_text<std::string>(n.at)) +
               (n.at.pass == program_pass::forward ? "" : ", in the " + std::string(name_of(n.at.pass)) + " pass") +
               ", makes " + bad + ". " + operands_of(plan, *where_, s, frame);
      return;
    }
  }

private:
  // "NaN at (3, 2) of float32[4,2], the block of device (dp, mp) = (1, 0)", or "".
  std::string in(plan_view const& plan, locations const& where, int id, std::byte* const* frame) const {
    array_value const& facts = plan.local[id].facts;
    if (!may_be_invalid(facts) || where[id].slot < 0) return {};
    fence();
    mesh_value const& mesh = *plan.local.mesh;
    device_blocks const blocks = bind_blocks(plan, where, id);
    axis_set const axes = facts.varying;
    for (std::int64_t held = 0; held < mesh.held_devices(axes); ++held) {
      mesh_coordinates place = coordinates_of(mesh.held(), held, axes);
      std::string text = first_invalid(what_, blocks.of(frame, place), facts, where[id].at);
      if (text.empty()) continue;
      text += " of " + block_text(facts, mesh);
      if (axes.empty()) return text;
      std::string names, numbers;
      for (int a = 0; a < mesh.rank; ++a)
        if (axes.contains(a)) {
          (names += names.empty() ? "" : ", ") += mesh.name(a);
          (numbers += numbers.empty() ? "" : ", ") += std::to_string(place[a] + mesh.first_held(a));
        }
      return text + ", the block of the devices at (" + names + ") = (" + numbers + ")";
    }
    return {};
  }
  static std::string block_text(array_value facts, mesh_value const& mesh) {
    facts.varying = facts.unreduced = facts.reduced = {};
    return describe(facts, mesh);
  }
  std::string operands_of(plan_view const& plan, locations const& where, step const& s, std::byte* const* frame) const {
    std::string text;
    for (int k = 0; k < s.inputs.count; ++k) {
      int const id = plan.lists[s.inputs.first + k];
      if (std::string const bad = in(plan, where, id, frame); !bad.empty()) text += " An operand has " + bad + ".";
    }
    return text.empty() ? "No operand has one." : text.substr(1);
  }

  value_watch what_;
  nan_watch* before_;
  std::optional<locations> where_{};
  std::string found_{};
  std::int64_t order_ = 0;
  inline static constinit thread_local nan_watch* current_ = nullptr;
};

}  // namespace detail
}  // namespace tessera
