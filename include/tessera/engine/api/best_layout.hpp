// SPDX-License-Identifier: Apache-2.0
#pragma once
// Definitions of api/best_layout.hpp: the search's entry point and the text of its answer.

#include <tessera/api/best_layout.hpp>
#include <tessera/engine/api/layout_searcher.hpp>

#include <algorithm>
#include <ostream>

namespace tessera {
namespace detail {

TESSERA_ENGINE std::string without_positions(std::string const& path) {
  std::string kept;
  for (std::size_t i = 0; i < path.size(); ++i) {
    bool const starts = i == 0 || path[i - 1] == '.';
    std::size_t const end = std::min(path.find('.', i), path.size());
    bool const number = starts && end > i && path.find_first_not_of("0123456789", i) >= end;
    if (number)
      i = end - 1;
    else
      kept += path[i];
  }
  return kept;
}

TESSERA_ENGINE layout_answer search_layouts(layout_question const& question, layout_goal const& goal) {
  return layout_searcher(question, goal).run();
}

}  // namespace detail

TESSERA_ENGINE std::ostream& operator<<(std::ostream& out, advised_layouts const& advice) {
  out << advice.in_shardings << ", " << advice.out_shardings << '\n';
  std::size_t width = 0;
  for (auto const& a : advice.arguments) width = std::max(width, a.path.size());
  for (auto const& a : advice.arguments)
    out << "  " << a.path << std::string(width - a.path.size() + 2, ' ') << a.spec << '\n';
  return out << advice.bytes << " bytes sent, " << advice.work << " operations of products, peak memory "
             << advice.peak_bytes << " bytes, each per device and call" << (advice.fits ? "" : ": more than the budget")
             << "; " << advice.plans << " plans compared\n";
}

}  // namespace tessera
