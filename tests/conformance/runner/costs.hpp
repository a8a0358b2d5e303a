// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the planner's choice for a program over Auto axes communicates: programs with shardings for arguments and results.

#include "prelude.hpp"

#include <tessera/tessera.hpp>

template <class Program, class... A>
void count_bytes(int number) {
  using error = ts::why<Program, placed<A>...>;
  if constexpr (!std::is_void_v<error>) {
    report_error(number, error_name<error>::value, ts::why_text<Program, placed<A>...>());
  } else {
    constexpr auto const& cost = ts::comm_of<Program, placed<A>...>;
    std::printf("{\"case\": %d, \"bytes\": %lld, \"messages\": [", number, static_cast<long long>(cost.bytes()));
    char const* comma = "";
    for (ts::message const& m : cost.messages()) {
      std::printf("%s\"%s %lld\"", comma, std::string(ts::name_of(m.kind)).c_str(), static_cast<long long>(m.bytes));
      comma = ", ";
    }
    std::printf("]}\n");
  }
}
