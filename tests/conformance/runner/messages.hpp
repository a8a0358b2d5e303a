// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a program sends, as `explain` says: traced while this is compiled, planned when it runs.

#include "prelude.hpp"

#include <tessera/tessera.hpp>

#include <string>

// The text of explain: a table, "  96 bytes sent per device and call", then "  all_reduce over dp, 96 bytes, place: why" lines.
inline void say_messages(int number, std::string const& text) {
  auto const end = text.find(" bytes sent per device and call");
  auto const start = text.rfind('\n', end) + 1;
  std::printf("{\"case\": %d, \"bytes\": %lld, \"messages\": [", number, std::stoll(text.substr(start, end - start)));
  char const* comma = "";
  for (auto at = text.find('\n', end); at != std::string::npos; at = text.find('\n', at + 1)) {
    std::string const line = text.substr(at + 1, text.find('\n', at + 1) - at - 1);
    auto const axes = line.find(" over "), bytes = line.find(", ", axes), rest = line.find(", ", bytes + 2);
    if (axes > 24 || bytes == std::string::npos || line.compare(0, 2, "  ") != 0) continue;
    std::printf("%s%s", comma, quoted(line.substr(2, rest - 2)).c_str());
    comma = ", ";
  }
  std::printf("]}\n");
}

template <class Program, class... A>
void count_messages(int number) {
  using refused = typename first_refused<A...>::type;
  if constexpr (!std::is_void_v<refused>) {
    report_error(number, error_name<refused>::value, "an argument that no array can have");
  } else {
    using error = ts::why<Program, placed<A>...>;
    if constexpr (!std::is_void_v<error>)
      report_error(number, error_name<error>::value, ts::why_text<Program, placed<A>...>());
    else
      say_messages(number, ts::explain<Program, placed<A>...>());
  }
}
