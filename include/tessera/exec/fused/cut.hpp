// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where the loop of a compiled group is split in two. If an element passes through several operations that are long
// chains of dependent instructions, the processor is partly idle: it looks only some hundred instructions ahead, so it
// does not reach the chains of the next elements. Two loops, with the values between them in the first-level cache,
// have more elements in flight. Normal random numbers (Threefry's rounds, then erf_inv), one thread of a Xeon with
// AVX-512: 33.7 ms instead of 38 (decisions/030).

#include <tessera/exec/fused/program_type.hpp>

namespace tessera::detail {

struct loop_cut {
  int first = -1;  // the second loop begins after this instruction; -1: one loop
  int kept = -1;   // the only value that the first loop passes to the second
};

// The cut of a loop that computes the instructions `needed`; stores and reductions are in the second half. It minimizes
// the longer half. There is a cut only if both halves are long and exactly one value passes between them. Loads are
// repeated in each half that needs them.
template <class Source>
constexpr loop_cut cut_of(bool const* needed) {
  constexpr int shortest = 25;
  auto const computes = [&](int i) { return needed[i] && Source::code[i].kind == code_kind::compute; };
  int all = 0, before = 0;
  for (int i = 0; i < Source::size; ++i)
    if (computes(i)) all += Source::depths[i];
  // The last instruction that reads each value; Source::size: a store or a reduction, which is in the second half. A constant
  // evaluation, so it is found once.
  std::array<int, Source::size> last_reader{};
  for (int k = 0; k < Source::size && all >= 2 * shortest; ++k) {
    int const at = Source::code[k].kind == code_kind::compute ? k : Source::size;
    for (int from : reads(Source::code[k]).ids)
      if (needed[k] && from >= 0 && at > last_reader[from]) last_reader[from] = at;
  }
  loop_cut best;
  int best_length = all;
  for (int i = 0; i < Source::size && all >= 2 * shortest; ++i) {
    if (!computes(i)) continue;
    before += Source::depths[i];
    int const longer = before > all - before ? before : all - before;
    if (all - longer < shortest || longer >= best_length) continue;
    int kept = -1, values = 0;
    for (int r = 0; r <= i; ++r)
      if (computes(r) && last_reader[r] > i) kept = r, ++values;
    if (values == 1) best = {i, kept}, best_length = longer;
  }
  return best;
}

}  // namespace tessera::detail
