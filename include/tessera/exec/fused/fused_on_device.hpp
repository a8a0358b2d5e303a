// SPDX-License-Identifier: Apache-2.0
#pragma once
// Compiled fused groups on an accelerator: one thread per element, or one team per row where the program reduces rows.

#include <tessera/exec/device/device_launch.hpp>
#include <tessera/exec/fused/fused_arguments.hpp>
#include <tessera/exec/fused/scalar_program.hpp>

#include <stdexcept>
#include <string>

namespace tessera {

namespace detail {

TESSERA_FUNCTION inline void decode(fused_arguments const& a, int loops, std::int64_t flat, std::int64_t* index) {
  for (int i = loops - 1; i >= 0; --i) {
    index[i] = flat % a.extent[i];
    flat /= a.extent[i];
  }
}

template <class Program, class Sequence = std::make_index_sequence<Program::size>>
struct element_kernel;
template <class Program, std::size_t... I>
struct element_kernel<Program, std::index_sequence<I...>> {
  fused_arguments arguments;
  TESSERA_FUNCTION void operator()(std::int64_t flat) const {
    std::int64_t index[fused_operand::max_loops];
    decode(arguments, arguments.rank, flat, index);
    scalar_registers<Program> registers;
    scalar_program<Program> const run{arguments, index, registers};
    (run.template evaluate<static_cast<int>(I)>(), ...);
  }
};

template <class Program, class Sequence = std::make_index_sequence<Program::size>>
struct row_kernel;
template <class Program, std::size_t... I>
struct row_kernel<Program, std::index_sequence<I...>> {
  static constexpr int threads = block_size;
  static constexpr row_passes<Program, false> passes{};
  fused_arguments arguments;
  std::int64_t columns;

  TESSERA_FUNCTION void operator()(team_member const& team) const {
    std::int64_t index[fused_operand::max_loops];
    decode(arguments, arguments.rank - 1, team.team(), index);
    scalar_registers<Program> registers;
    pass<0>(team, index, registers);
  }

private:
  template <int P, int J>
  static constexpr bool needs() {
    constexpr auto needed = passes.needed[P];
    return needed[J];
  }
  template <int P>
  TESSERA_FUNCTION void pass(team_member const& team, std::int64_t* index, scalar_registers<Program>& registers) const {
    scalar_program<Program> run{arguments, index, registers};
    index[arguments.rank - 1] = 0;
    (value<P, static_cast<int>(I)>(team, run), ...);
    if constexpr ((needs<P, static_cast<int>(I)>() || ...)) {
      scalar_registers<Program> totals;
      for (run.segment = 0; run.segment < arguments.segments; ++run.segment) {
        (start<P, static_cast<int>(I)>(run), ...);
        for (std::int64_t j = team.rank(); j < columns; j += threads) {
          index[arguments.rank - 1] = j;
          (element<P, static_cast<int>(I)>(run), ...);
        }
        (finish<P, static_cast<int>(I)>(team, run, totals), ...);
      }
      run.segment = 0;
      (settle<P, static_cast<int>(I)>(run, totals), ...);
    }
    if constexpr (P + 1 < passes.passes) pass<P + 1>(team, index, registers);
  }
  template <int P, int J>
  TESSERA_FUNCTION void value(team_member const& team, scalar_program<Program> const& run) const {
    constexpr code_kind kind = Program::code[J].kind;
    constexpr bool now = is_uniform(Program::code[J]) && kind != code_kind::reduce && passes.phase[J] == P;
    if constexpr (now)
      if (kind != code_kind::store || team.rank() == 0) run.template evaluate<J>();
  }
  template <int P, int J>
  TESSERA_FUNCTION void element(scalar_program<Program> const& run) const {
    if constexpr (needs<P, J>()) {
      if constexpr (Program::code[J].kind == code_kind::reduce)
        accumulator<J>(run) = combine<Program::monoids[J]>(accumulator<J>(run), run.template at<Program::code[J].a>());
      else
        run.template evaluate<J>();
    }
  }
  template <int J>
  TESSERA_FUNCTION lane_of<Program::code[J].element>& accumulator(scalar_program<Program> const& run) const {
    return run.template at<J>();
  }
  template <int P, int J>
  TESSERA_FUNCTION void start(scalar_program<Program> const& run) const {
    if constexpr (needs<P, J>() && Program::code[J].kind == code_kind::reduce)
      accumulator<J>(run) = identity_of<Program::monoids[J], lane_of<Program::code[J].element>>();
  }
  // Combines the threads' partial results as a tree in the host's order, so that results have the host's bits.
  template <int P, int J>
  TESSERA_FUNCTION void finish(team_member const& team, scalar_program<Program> const& run,
                               scalar_registers<Program>& totals) const {
    if constexpr (needs<P, J>() && Program::code[J].kind == code_kind::reduce) {
      using A = lane_of<Program::code[J].element>;
      constexpr monoid how = Program::monoids[J];
      auto* const parts = static_cast<A*>(team.scratch());
      team.barrier();
      A const sum = sum_of_team<how>(team, parts, accumulator<J>(run));
      A& total = static_cast<scalar_slot<J, A>&>(totals).value;
      total = run.segment == 0 ? sum : combine<how>(total, sum);
    }
  }
  template <int P, int J>
  TESSERA_FUNCTION void settle(scalar_program<Program> const& run, scalar_registers<Program>& totals) const {
    if constexpr (needs<P, J>() && Program::code[J].kind == code_kind::reduce) {
      using A = lane_of<Program::code[J].element>;
      accumulator<J>(run) =
          settled<element_of<Program::code[J].element>>(static_cast<scalar_slot<J, A>&>(totals).value);
    }
  }
};

template <class Program>
void launch_program(std::string const& label, fused_arguments const& arguments, std::int64_t count,
                    std::int64_t columns) {
  if constexpr (Program::by_rows) {
    using kernel = row_kernel<Program>;
    int scratch = 0;  // one array, reused by each reduction
    for (auto const& i : Program::code)
      if (i.kind == code_kind::reduce) scratch = std::max(scratch, kernel::threads * register_bytes(i.element));
    launch_teams(label, count, kernel::threads, scratch, kernel{arguments, columns});
  } else {
    static_cast<void>(columns);
    launch_elements(label, count, element_kernel<Program>{arguments});
  }
}

}  // namespace detail

}  // namespace tessera
