// SPDX-License-Identifier: Apache-2.0
#pragma once
// Prints values while a program runs.

#include <tessera/exec/device/device.hpp>
#include <tessera/view/debug_print.hpp>
#include <tessera/view/print_array.hpp>

#include <iostream>
#include <mutex>
#include <vector>

namespace tessera {

namespace detail {

// The streams of debug_print, which writes to the last one. Each is identified by the print_to that added it.
struct print_target {
  std::mutex guard;
  std::vector<std::pair<print_to const*, std::ostream*>> streams{{nullptr, &std::cout}};
};
inline print_target& where_to_print() {
  static print_target target;
  return target;
}

// The line "On CpuDevice(id=3) at mesh coordinates (dp, mp) = (1, 1):".
inline std::string place_text(mesh_value const& mesh, axis_set axes, mesh_coordinates const& at) {
  axis_name_list names;
  extents_list numbers;
  for (int a = 0; a < mesh.rank; ++a)
    if (axes.contains(a)) {
      names.push_back(mesh.name(a));
      numbers.push_back(at[a]);
    }
  std::string text = "On ", listed;
  std::size_t const position = position_of(mesh, at);
  if (std::vector<device> const* devices = running_on(); devices && position < devices->size())
    text += to_string((*devices)[position]);
  else
    text += "device " + std::to_string(position);
  text += " at mesh coordinates (";
  for (int i = 0; i < names.size(); ++i) {
    ((text += i ? ", " : "") += names[i]);
    (listed += i ? ", " : "") += std::to_string(numbers[i]);
  }
  char const* const end = names.size() == 1 ? ",)" : ")";
  return text + end + " = (" + listed + end + ":\n";
}

}  // namespace detail

TESSERA_ENGINE print_to::print_to(std::ostream& stream) {
  auto& target = detail::where_to_print();
  std::lock_guard const lock(target.guard);
  target.streams.push_back({this, &stream});
}
TESSERA_ENGINE print_to::~print_to() {
  auto& target = detail::where_to_print();
  std::lock_guard const lock(target.guard);
  std::erase_if(target.streams, [this](auto const& known) { return known.first == this; });
}

namespace detail {
inline void print_text(std::string const& text) {
  auto& target = where_to_print();
  std::lock_guard const lock(target.guard);
  *target.streams.back().second << text << std::flush;
}
}  // namespace detail

TESSERA_ENGINE void ops::debug_print::act(effect_call const& call) {
  if (call.ready) return detail::print_text(*call.ready);
  auto const& what = call.attrs->as<effect_params>();
  std::int32_t const* const table = what.text;
  std::string format, line;
  if (!what.axes.empty()) line = detail::place_text(*call.mesh, what.axes, call.at);
  for (std::int32_t i = 0; i < table[0]; ++i) format += static_cast<char>(table[1 + i]);
  detail::each_piece(format, call.count, [&](std::string_view text, int which, bool) {
    if (which < 0) {
      line += text;
    } else {
      effect_operand const& x = call.operands[which];
      line += detail::values_text(x.facts.element, x.data, x.facts.shape(), {});
    }
  });
  line += '\n';
  if (call.text)
    *call.text += line;
  else
    detail::print_text(line);
}

}  // namespace tessera
