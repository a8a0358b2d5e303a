# SPDX-License-Identifier: Apache-2.0
"""own_functions.py <build tree>: a user's own function wins where its name is one of ours.

For each public function a program declares one of that name and calls it without `ts::` on arrays, traced values and
constants, and for those of ts::random on keys: C++ finds no other. Ours that take arrays stand in namespace
tessera::functions (base/functions.hpp); a key's type in random::keys."""

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
KEY_HEAD = """#include <tessera/tessera.hpp>
namespace own {
namespace ts = tessera;
struct mine {};
constexpr auto key_of_constants = ts::random::key(0);
constexpr ts::random::prng_key<ts::traced<ts::array_type<unsigned, ts::shape<2>, ts::P<>, ts::mesh<>>>> traced_key;
template <class... Called>
inline constexpr bool all_mine = (std::is_same_v<Called, mine> && ...);
"""
KEY_CALLS = ["(key_of_constants)", "(traced_key)", "(traced_key, 1)", "(traced_key, 1.f, 2.f)", "(traced_key, traced_key)", "<float>(traced_key)",
             "<float, 4>(traced_key)", "<float, 4>(traced_key, 1.f)", "<4>(traced_key)", "<2, 3>(traced_key)"]
# device_put's overloads are an open set: those for other libraries' views come later, and C++ finds them as it finds a user's.
OPEN = {"device_put"}


def met(head, calls, names):
    """The names of which a call meets a function of the library."""
    lines = [head]
    for name in names:
        lines.append(f"template <class... X> mine {name}(X const&...); template <int D, class... X> mine {name}(X const&...); "
                     f"template <class T, class... X> mine {name}(X const&...); template <class T, class U, class... X> mine {name}(X const&...); "
                     f"template <class T, long E, class... X> mine {name}(X const&...); template <int D, int E, class... X> mine {name}(X const&...); "
                     f'static_assert(all_mine<{", ".join(f"decltype({name}{call})" for call in calls)}>, "{name}");')
    with tempfile.NamedTemporaryFile("w", suffix=".cpp") as source:
        source.write("\n".join([*lines, "}", ""]))
        source.flush()
        made = compiler.check(source.name)
    first = head.count("\n") + 2
    said = sorted({int(n) - first for n in re.findall(rf"^{re.escape(source.name)}:(\d+):", made.stderr, re.M)})
    found = [f"a user's {names[n]}(...) meets the library's" for n in said if 0 <= n < len(names)]
    return found or ([made.stderr] if made.returncode else [])


build = sys.argv[1]
compiler = Compiler(build, "probe_run.cpp")
compiler.drop_precompiled()
compiler.drop("-Wall", "-Wextra", "-Wpedantic", "-Werror")
functions = [name for name, (kind, _) in public_names().items() if kind == "function"]
names = sorted(name for name in functions if "::" not in name and name not in OPEN)
draws = sorted(name.removeprefix("random::") for name in functions if name.startswith("random::"))
problems = met(HEAD, CALLS, names) + met(KEY_HEAD, KEY_CALLS, draws)
here, hidden = ({(name, header) for space, name, _, header in declared_names() if space == of} for of in ("tessera", "tessera::functions"))
problems += [f"{header}: {name} hides ts::{name} of tessera::functions" for name, header in sorted(here) if name in dict(hidden)]
finish(problems, f"{len(names) + len(draws)} functions")
