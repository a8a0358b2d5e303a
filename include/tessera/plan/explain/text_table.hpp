// SPDX-License-Identifier: Apache-2.0
#pragma once
// The parts of explanations: a table, a line of the user's source, a number of bytes.

#include <tessera/base/growable.hpp>
#include <tessera/graph/node.hpp>

#include <algorithm>
#include <array>
#include <string>

namespace tessera::detail {

// Rows with a heading, as columns. Columns in the bit set `numbers` are right-aligned; columns without a cell are left
// out.
template <std::size_t N, class Text>
Text text_table(growable<std::array<Text, N>> const& rows, std::uint32_t numbers) {
  std::array<std::size_t, N> width{};
  for (std::size_t c = 0; c < N; ++c) {
    bool any = false;
    for (std::size_t r = 1; r < rows.size(); ++r) any = any || !rows[r][c].empty();
    for (auto const& row : rows) width[c] = std::max(width[c], any ? row[c].size() : 0);
  }
  Text text;
  for (auto const& row : rows) {
    Text line(1, ' ');
    for (std::size_t c = 0; c < N; ++c) {
      if (width[c] == 0) continue;
      Text const pad(width[c] - row[c].size(), ' ');
      line += ' ' + ((numbers >> c & 1) != 0 ? pad + row[c] : row[c] + pad);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

template <class Text>
Text line_text(site at) {
  if (at.line == 0) return "the call";
  Text line = at.file;
  if (auto const slash = line.rfind('/'); slash != Text::npos) line.erase(0, slash + 1);
  line += ':';  // appended alone: g++ 12 warns of overlapping memory for ":" + number
  return line += std::to_string(at.line);
}

template <class Text>
Text scope_text(site at) {
  Text path;
  at.scope.append_to(path);
  return path;
}

// A number of bytes or of messages, which may be unknown or a bound. Text: std::string; a template, so that it is
// compiled only where it is called.
template <class Text>
struct known_bytes {
  std::int64_t number = 0;
  bool bound = false;

  known_bytes& operator+=(known_bytes const& more) {
    number = number == dynamic || more.number == dynamic ? dynamic : number + more.number;
    bound = bound || more.bound;
    return *this;
  }
  friend Text describe(known_bytes const& x) {
    return x.number == dynamic ? Text("unknown") : Text(x.bound ? "<= " : "") + std::to_string(x.number);
  }
};

}  // namespace tessera::detail
