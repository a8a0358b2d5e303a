// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where the loop of a compiled group is cut in two. Operations that are long chains of instructions, each waiting for the one
// before, keep a processor idle when one element goes through several of them: it looks only some hundred instructions
// ahead, which is less than the next elements' chain is long. Two loops, the second of which finds in the first cache what
// the first one left there, have more elements under way. Random normal numbers, Threefry's rounds and then erf_inv: 38 ms
// instead of 33.7 by one thread of a Xeon with AVX-512 (decisions/030).

#include <tessera/exec/fused/program_type.hpp>

namespace tessera::detail {

// Instructions that wait for each other in operation Op: its `depth`, or one.
template <class Op>
constexpr int depth_of() {
  if constexpr (requires { Op::depth; })
    return Op::depth;
  else
    return 1;
}

struct loop_cut {
  int first = -1;  // the second loop begins with what comes after this instruction; -1: one loop
  int kept = -1;   // the only value that goes from the first one to the second
};

// The cut of a loop that computes the instructions `needed`, the stores and reductions in its second half: that which makes
// the longer half shortest, if both are long and one value goes over. What is in memory is loaded in either half.
template <class Source>
constexpr loop_cut cut_of(bool const* needed) {
  constexpr int shortest = 25;
  constexpr auto depths = []<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<int, sizeof...(I)>{depth_of<typename Source::template op<static_cast<int>(I)>>()...};
  }
  (std::make_index_sequence<Source::size>{});
  auto const computes = [&](int i) { return needed[i] && Source::code[i].kind == code_kind::compute; };
  int all = 0, before = 0;
  for (int i = 0; i < Source::size; ++i)
    if (computes(i)) all += depths[i];
  loop_cut best;
  int best_length = all;
  for (int i = 0; i < Source::size && all >= 2 * shortest; ++i) {
    if (!computes(i)) continue;
    before += depths[i];
    int const longer = before > all - before ? before : all - before;
    if (all - longer < shortest || longer >= best_length) continue;
    int kept = -1, values = 0;
    for (int r = 0; r <= i; ++r) {
      bool read = false;
      for (int k = 0; k < Source::size && computes(r); ++k)
        if (needed[k] && (k > i || Source::code[k].kind != code_kind::compute))
          for (int from : reads(Source::code[k]).ids) read = read || from == r;
      if (read) kept = r, ++values;
    }
    if (values == 1) best = {i, kept}, best_length = longer;
  }
  return best;
}

}  // namespace tessera::detail
