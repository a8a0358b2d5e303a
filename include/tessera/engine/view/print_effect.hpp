// SPDX-License-Identifier: Apache-2.0
#pragma once
// The text of an effect with a format: the device, if each does it, and the format with values.

#include <tessera/engine/view/print_array.hpp>
#include <tessera/exec/device/device.hpp>
#include <tessera/graph/effect.hpp>
#include <tessera/mesh/coordinates.hpp>
#include <tessera/mesh/describe.hpp>
#include <tessera/view/print_format.hpp>

#include <string>

namespace tessera::detail {

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

// The text, without an end of line.
inline std::string text_of_effect(effect_call const& call) {
  auto const& what = call.attrs->as<effect_params>();
  std::int32_t const* const table = what.text;
  std::string format, line;
  if (!what.axes.empty()) line = place_text(*call.mesh, what.axes, call.at);
  for (std::int32_t i = 0; i < table[0]; ++i) format += static_cast<char>(table[1 + i]);
  each_piece(format, call.count, [&](std::string_view text, int which, bool) {
    if (which < 0) {
      line += text;
    } else {
      effect_operand const& x = call.operands[which];
      line += values_text(x.facts.element, x.data, x.facts.shape(), {});
    }
  });
  return line;
}

}  // namespace tessera::detail
