// SPDX-License-Identifier: Apache-2.0
#pragma once
// What tests/api/layouts.txt holds, and layouts as it writes them: "dp - mp" for P(dp, none, mp), "dp+mp" for axes<dp, mp>.

#include <tessera/tessera.hpp>

#include <fstream>
#include <map>
#include <string>

namespace recorded_layouts {

// From what stands before ": " in a line to what follows.
inline std::map<std::string, std::string> answers() {
  std::ifstream file(TESSERA_SOURCE_DIR "/tests/api/layouts.txt");
  std::map<std::string, std::string> all;
  for (std::string line; std::getline(file, line);)
    if (auto const at = line.find(": "); at != line.npos) all[line.substr(0, at)] = line.substr(at + 2);
  return all;
}
template <class X>
std::string layout(X const& x) {
  tessera::spec_value const spec = x.sharding().spec().value;
  std::string all, whole;
  for (int d = 0; d < spec.rank; ++d) {
    std::string entry;
    for (int k = 0; spec[d].axis(k) >= 0; ++k)
      (entry += k ? "+" : "") += std::string(x.mesh().value().name(spec[d].axis(k)));
    (whole += whole.empty() ? "" : " ") += entry.empty() ? "-" : entry;
    if (!entry.empty()) all = whole;
  }
  return all.empty() ? "whole" : all;
}

}  // namespace recorded_layouts
