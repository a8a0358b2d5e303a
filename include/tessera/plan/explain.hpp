// SPDX-License-Identifier: Apache-2.0
#pragma once
// explain(cost): what a program communicates, as a table: collective, axes, bytes, the operation and the line.

#include <tessera/aval/describe.hpp>
#include <tessera/plan/cost.hpp>

#include <string>
#include <vector>

namespace tessera {

template <Mesh M, std::size_t Messages>
std::string explain(communication<M, Messages> const& cost) {
  std::vector<std::array<std::string, 5>> rows{{"collective", "axes", "bytes", "for", "line"}};
  for (message const& m : cost.messages()) {
    std::string axes, line = m.at.file;
    detail::append_axes(axes, m.axes, M::value);
    if (auto const slash = line.rfind('/'); slash != std::string::npos) line.erase(0, slash + 1);
    line += ":" + std::to_string(m.at.line);
    rows.push_back(
        {std::string(name_of(m.kind)), axes, std::to_string(m.bytes), m.cause ? std::string(m.cause->name) : "", line});
  }
  std::array<std::size_t, 5> width{};
  for (auto const& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], row[c].size());
  std::string text;
  for (auto const& row : rows) {
    text += ' ';
    for (std::size_t c = 0; c < row.size(); ++c) {
      std::string const pad(width[c] - row[c].size(), ' ');
      text += ' ' + (c == 2 ? pad + row[c] : c + 1 == row.size() ? row[c] : row[c] + pad);
    }
    text += '\n';
  }
  if (Messages == 0) text = "  nothing\n";
  return text + "  " + std::to_string(cost.bytes()) + " bytes sent per device and call (ring model), peak memory " +
         std::to_string(cost.peak_bytes()) + " bytes per device\n";
}

}  // namespace tessera
