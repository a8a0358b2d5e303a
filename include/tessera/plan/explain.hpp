// SPDX-License-Identifier: Apache-2.0
#pragma once
// explain(cost): what a program communicates, as a table: collective, axes, bytes, the operation and the line. Bytes are
// polynomials where sizes are unknown.

#include <tessera/aval/describe.hpp>
#include <tessera/plan/cost.hpp>
#include <tessera/plan/cost_of_sizes.hpp>

#include <array>
#include <string>

namespace tessera {
namespace detail {

// Of messages, each with the text of its bytes.
template <class Messages, class Text>
Text message_table(Messages const& messages, growable<Text> const& bytes, mesh_value const& mesh) {
  growable<std::array<Text, 5>> rows;
  rows.push_back({"collective", "axes", "bytes", "for", "line"});
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    message const& m = messages[i];
    Text axes, line = m.at.file;
    append_axes(axes, m.axes, mesh);
    if (auto const slash = line.rfind('/'); slash != Text::npos) line.erase(0, slash + 1);
    line += m.at.line == 0 ? "the call" : ":";  // by itself: g++ 12 warns of ":" + number as of overlapping memory
    if (m.at.line != 0) line += std::to_string(m.at.line);
    Text const times = m.times == 1 ? "" : m.times == dynamic ? " each turn" : " x " + std::to_string(m.times);
    if (m.joined > 1) line += " and " + std::to_string(m.joined - 1) + " more";
    rows.push_back({Text(name_of(m.kind)), axes, bytes[i] + times, m.cause ? Text(m.cause->name) : "", line});
  }
  std::array<std::size_t, 5> width{};
  for (auto const& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], row[c].size());
  Text text;
  for (auto const& row : rows) {
    text += ' ';
    for (std::size_t c = 0; c < row.size(); ++c) {
      Text const pad(width[c] - row[c].size(), ' ');
      text += ' ' + (c == 2 ? pad + row[c] : c + 1 == row.size() ? row[c] : row[c] + pad);
    }
    text += '\n';
  }
  return bytes.empty() ? "  nothing\n" : text;
}

}  // namespace detail

template <Mesh M, std::size_t Messages>
std::string explain(communication<M, Messages> const& cost) {
  growable<std::string> bytes;
  for (message const& m : cost.messages()) bytes.push_back((m.is_bound() ? "<= " : "") + std::to_string(m.bytes));
  return detail::message_table(cost.messages(), bytes, M::value) + "  " +
         (cost.bytes() == dynamic ? std::string("an unknown number of") : std::to_string(cost.bytes())) +
         " bytes sent per device and call (ring model), peak memory " + std::to_string(cost.peak_bytes()) +
         " bytes per device\n";
}

template <Mesh M, std::size_t Messages>
std::string explain(communication_of_sizes<M, Messages> const& cost) {
  growable<std::string> bytes;
  for (std::size_t i = 0; i < Messages; ++i) bytes.push_back(describe(cost.bytes_of(i)));
  return detail::message_table(cost.messages(), bytes, M::value) + "  " + describe(cost.bytes()) +
         " bytes sent per device and call (ring model)\n";
}

}  // namespace tessera
