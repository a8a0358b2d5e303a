// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which instructions of a compiled group each of its loops has. All lists are found in one evaluation for each group,
// in time linear in its instructions and passes: long groups are compiled, too.

#include <tessera/exec/fused/cut.hpp>
#include <tessera/exec/fused/phases.hpp>

#include <array>

namespace tessera::detail {

template <int Size>
struct instruction_list {
  int count = 0;
  std::array<int, Size> at{};
  constexpr void add(int i) { at[count++] = i; }
};

// One pass over a row.
template <int Size>
struct pass_bodies {
  using list = instruction_list<Size>;
  loop_cut cut{};
  list looped{};    // what its loop computes, and the values kept by earlier passes that it reads
  list constant{};  // the uniform values that its loop reads
  list known{};     // the uniform values that become available before its loop
  list half[2]{};   // the loop, or its two halves, where it is cut; with the loads that each needs
  list along{};     // instructions with one element per column: loads, stores and kept values
  list entered{};   // loads, stores and reductions that are prepared before its loop
  list put{};       // stores of one value for a row
  list ended{};     // its reductions
  bool stores = false;
};

template <class Source>
struct loop_bodies {
  static constexpr int size = Source::size;
  static constexpr row_passes<Source, true> passes{};
  static constexpr int count = passes.passes;
  using bodies = std::array<pass_bodies<size>, count>;

private:
  // The instructions whose values an instruction that `reader` accepts reads.
  template <class F>
  static constexpr std::array<bool, size> read_by(F const& reader) {
    std::array<bool, size> read{};
    for (int i = 0; i < size; ++i)
      if (reader(i))
        for (int r : reads(Source::code[i]).ids)
          if (r >= 0) read[r] = true;
    return read;
  }
  static constexpr pass_bodies<size> pass(int p) {
    pass_bodies<size> made;
    auto const& needed = passes.needed[p];
    made.cut = cut_of<Source>(needed.data());
    auto const read = read_by([&](int i) { return needed[i]; });
    for (int i = 0; i < size; ++i) {
      instruction const& it = Source::code[i];
      bool const loads = it.kind == code_kind::load, stores = it.kind == code_kind::store;
      bool const reduces = it.kind == code_kind::reduce, computes = it.kind == code_kind::compute;
      bool const once = it.row && passes.phase[i] == p;  // not a part of the loop
      if (needed[i] || (passes.kept[i] && read[i])) made.looped.add(i);
      if (is_uniform(it) && !needed[i] && read[i]) made.constant.add(i);
      if (once && computes) made.known.add(i);
      if (passes.kept[i] || (needed[i] && (loads || stores))) made.along.add(i);
      if ((once && loads) || (needed[i] && (reduces || ((loads || stores) && !it.row)))) made.entered.add(i);
      if (once && stores) made.put.add(i);
      if (needed[i] && reduces) made.ended.add(i);
      if (needed[i] && stores) made.stores = true;
    }
    int const last = made.cut.first;
    for (int half = 0; half < (last < 0 ? 1 : 2); ++half) {
      auto const computed = [&](int i) {
        bool const first = Source::code[i].kind == code_kind::compute && i <= last;
        return needed[i] && reads(Source::code[i]).ids[0] >= 0 && first == (half == 0);
      };
      auto const wanted = read_by(computed);
      for (int k = 0; k < made.looped.count; ++k) {
        int const i = made.looped.at[k];
        if (last < 0 || computed(i) || wanted[i]) made.half[half].add(i);
      }
    }
    return made;
  }

public:
  static constexpr bodies of = [] {
    bodies all{};
    for (int p = 0; p < count; ++p) all[p] = pass(p);
    return all;
  }();
};

}  // namespace tessera::detail
