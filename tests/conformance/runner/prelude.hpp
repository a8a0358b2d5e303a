// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the generated programs of the conformance runner share: it notes the types that traced code has, asks `why`, and
// writes one JSON object a line.

#include <tessera/types.hpp>

#include <cstdio>
#include <map>
#include <string>
#include <tuple>

namespace ts = tessera;

inline std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '\n')
      out += "\\n";
    else if (c == '"' || c == '\\')
      (out += '\\') += c;
    else
      out += c;
  }
  return out + '"';
}

// case -> value -> the text of its type; texts when it was traced with several.
inline std::map<int, std::map<int, std::string>>& types_seen() {
  static std::map<int, std::map<int, std::string>> seen;
  return seen;
}
inline bool see(int number, int slot, std::string_view text) {
  auto& known = types_seen()[number][slot];
  if (known.find(text) == std::string::npos) (known += known.empty() ? "" : " | ") += text;
  return true;
}

// A value in traced code: its type is written down before main, since tracing happened when this was compiled.
template <int Number, int Slot, class X>
struct noted {
  static bool const once;
};
template <int Number, int Slot, class X>
bool const noted<Number, Slot, X>::once = see(Number, Slot, ts::type_text<X>);
template <int Number, int Slot, class X>
constexpr void note(X const&) {
  if constexpr (!ts::is_unplaced<X>) (void)&noted<Number, Slot, X>::once;
}
// What waits for a mesh is noted as it is on that of the region's first value.
template <int Number, int Slot, class X, class R>
constexpr void note(X const& x, R const& region) {
  if constexpr (!ts::is_unplaced<X>) {
    note<Number, Slot>(x);
  } else if constexpr (!ts::is_unplaced<R>) {
    using mesh = typename ts::operand_traits<R>::type::mesh;
    if constexpr (mesh::rank != 0) note<Number, Slot>(ts::detail::put_on<mesh>(x));
  }
  (void)region;
}

// An argument as device_put would type it, or its refusal.
template <class T, class Shape, class Spec, class Mesh>
struct argument {
  using element = T;
  using shape = Shape;
  using spec = Spec;
  using mesh = Mesh;
  using checked = ts::checked_sharding<T, Shape, Spec, Mesh>;
};

template <class... A>
struct first_refused {
  using type = void;
};
template <class A, class... Rest>
struct first_refused<A, Rest...>
    : std::conditional_t<A::checked::accepted, first_refused<Rest...>, std::type_identity<typename A::checked::error>> {
};

template <class A>
using placed = ts::array_type_of<typename A::checked, typename A::mesh>;

inline void report_error(int number, std::string_view error, std::string const& text) {
  std::printf("{\"case\": %d, \"error\": %s, \"text\": %s}\n", number, quoted(error.substr(0, error.find('<'))).c_str(),
              quoted(text).c_str());
}

// "dims_disagree" of ts::error::dims_disagree<...>, whatever its facts are.
template <class Error>
struct error_name;
template <template <class...> class Error, class... Facts>
struct error_name<Error<Facts...>> {
  static constexpr std::string_view value = ts::type_name<Error<void>>();
};

template <class Program, class... A>
void judge(int number) {
  using refused = typename first_refused<A...>::type;
  if constexpr (!std::is_void_v<refused>) {
    report_error(number, error_name<refused>::value, "an argument that no array can have");
  } else {
    using error = ts::why<Program, placed<A>...>;
    if constexpr (std::is_void_v<error>) {
      std::printf("{\"case\": %d, \"types\": {", number);
      char const* comma = "";
      for (auto const& [slot, text] : types_seen()[number]) {
        std::printf("%s\"%d\": %s", comma, slot, quoted(text).c_str());
        comma = ", ";
      }
      std::printf("}}\n");
    } else {
      report_error(number, error_name<error>::value, ts::why_text<Program, placed<A>...>());
    }
  }
}
