# SPDX-License-Identifier: Apache-2.0
"""own_functions.py <build tree>: a user's own function wins where its name is one of ours.

For each public function a program declares one of that name and calls it without `ts::` on arrays, traced values and
constants: C++ finds no other. Ours that take arrays stand in namespace tessera::functions (base/functions.hpp)."""

import re
import sys
import tempfile

from compiler import Compiler
from public_names import declared_names, public_names
from report import finish

HEAD = """#include <tessera/tessera.hpp>
#include <tessera/checkpoint.hpp>
#include <tessera/data.hpp>
namespace own {
namespace ts = tessera;
struct dp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 2>>;
using type = ts::array_type<float, ts::shape<4>, ts::P<dp>, grid>;
struct mine {};
struct function {
  template <class... X>
  constexpr auto operator()(X const&... x) const;
};
inline constexpr function f{};
ts::array<type> const x;
constexpr ts::traced<type> t;
constexpr auto c = ts::zeros<float, 4>();
template <class... Called>
inline constexpr bool all_mine = (std::is_same_v<Called, mine> && ...);
"""
CALLS = ["(x)", "(x, x)", "(x, x, x)", "(x, 1)", "(f, x)", "(f, x, x)", "(x, f, x)", "(x, f, f, x)", "(t)", "(t, t)", "(c)", "(c, c)", "<0>(x)",
         "<0>(x, x)", "<float>(x)", "<ts::P<dp>>(x)", "<ts::P<dp>, grid>(x)", "<dp>(t)", "<function>(x)"]
# device_put's overloads are an open set: those for other libraries' views come later, and C++ finds them as it finds a user's.
OPEN = {"device_put"}

build = sys.argv[1]
compiler = Compiler(build, "probe_run.cpp")
compiler.drop_precompiled()
compiler.drop("-Wall", "-Wextra", "-Wpedantic", "-Werror")
names = sorted(name for name, (kind, _) in public_names().items() if kind == "function" and "::" not in name and name not in OPEN)
lines = [HEAD]
for name in names:
    lines.append(f"template <class... X> mine {name}(X const&...); template <int D, class... X> mine {name}(X const&...); "
                 f"template <class T, class... X> mine {name}(X const&...); template <class T, class U, class... X> mine {name}(X const&...); "
                 f'static_assert(all_mine<{", ".join(f"decltype({name}{call})" for call in CALLS)}>, "{name}");')
with tempfile.NamedTemporaryFile("w", suffix=".cpp") as source:
    source.write("\n".join([*lines, "}", ""]))
    source.flush()
    made = compiler.check(source.name)
first = HEAD.count("\n") + 2
said = sorted({int(n) - first for n in re.findall(rf"^{re.escape(source.name)}:(\d+):", made.stderr, re.M)})
problems = [f"a user's {names[n]}(...) meets the library's" for n in said if 0 <= n < len(names)]
here, hidden = ({(name, header) for space, name, _, header in declared_names() if space == of} for of in ("tessera", "tessera::functions"))
problems += [f"{header}: {name} hides ts::{name} of tessera::functions" for name, header in sorted(here) if name in dict(hidden)]
finish(problems or ([made.stderr] if made.returncode else []), f"{len(names)} functions")
