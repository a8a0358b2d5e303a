// SPDX-License-Identifier: Apache-2.0
#pragma once
// Compiled fused groups on an accelerator: one thread for a few neighboring elements, or one team per row where the program
// reduces rows.

#include <tessera/base/loops.hpp>
#include <tessera/exec/device/device_launch.hpp>
#include <tessera/exec/fused/fused_arguments.hpp>
#include <tessera/exec/fused/scalar_program.hpp>
#include <tessera/exec/fused/team_sum.hpp>

#include <stdexcept>
#include <string>

namespace tessera {

namespace detail {

// The indices of the first `loops` loops.
TESSERA_FUNCTION inline void decode(fused_loops const& a, int loops, std::int64_t flat, std::int64_t* index) {
  for (int i = 0; i < loops; ++i) index[i] = 0;
  unravel(a.extent, loops, flat, [&](int i, std::int64_t at) { index[i] = at; });
}

template <class Program, class Arguments, class Sequence = std::make_index_sequence<Program::size>>
struct element_kernel;
template <class Program, class Arguments, std::size_t... I>
struct element_kernel<Program, Arguments, std::index_sequence<I...>> {
  Arguments arguments;  // of whose last loop the extent is counted in groups
  std::int64_t columns;
  TESSERA_FUNCTION void operator()(std::int64_t flat) const {
    std::int64_t index[fused_operand::max_loops];
    decode(arguments, arguments.rank, flat, index);
    std::int64_t const column = index[arguments.rank - 1] *= group_size, left = columns - column;
    scalar_places<Program> places;
    places.locate(arguments, arguments.rank, index);
    scalar_registers<Program> registers;
    scalar_program<Program, Arguments> const run{arguments, places, registers,
                                                 left < group_size ? static_cast<int>(left) : group_size};
    (run.template evaluate<static_cast<int>(I)>(), ...);
  }
};

template <class Program, class Arguments, class Sequence = std::make_index_sequence<Program::size>>
struct row_kernel;
template <class Program, class Arguments, std::size_t... I>
struct row_kernel<Program, Arguments, std::index_sequence<I...>> {
  static constexpr row_passes<Program, false> passes{};
  Arguments arguments;
  std::int64_t columns;
  int threads;

  TESSERA_FUNCTION void operator()(team_member const& team) const {
    std::int64_t index[fused_operand::max_loops];
    decode(arguments, arguments.rank - 1, team.team(), index);
    scalar_places<Program> places;
    places.locate(arguments, arguments.rank - 1, index);
    scalar_registers<Program> registers;
    pass<0>(team, places, registers);
  }

private:
  using program = scalar_program<Program, Arguments>;
  template <int P, int J>
  static constexpr bool needs() {
    constexpr auto needed = passes.needed[P];
    return needed[J];
  }
  template <int P>
  TESSERA_FUNCTION void pass(team_member const& team, scalar_places<Program> const& places,
                             scalar_registers<Program>& registers) const {
    program run{arguments, places, registers, 1};
    (value<P, static_cast<int>(I)>(team, run), ...);
    if constexpr ((needs<P, static_cast<int>(I)>() || ...)) {
      scalar_registers<Program> totals;
      for (run.segment = 0; run.segment < arguments.segments; ++run.segment) {
        (start<P, static_cast<int>(I)>(run), ...);
        for (std::int64_t j = team.rank() * group_size; j < columns; j += threads * group_size) {
          run.column = j;
          run.count = columns - j < group_size ? static_cast<int>(columns - j) : group_size;
          (element<P, static_cast<int>(I)>(run), ...);
        }
        run.column = 0;
        (finish<P, static_cast<int>(I)>(team, run, totals), ...);
      }
      (settle<P, static_cast<int>(I)>(run, totals), ...);
    }
    if constexpr (P + 1 < passes.passes) pass<P + 1>(team, places, registers);
  }
  template <int P, int J>
  TESSERA_FUNCTION void value(team_member const& team, program const& run) const {
    constexpr code_kind kind = Program::code[J].kind;
    constexpr bool now = is_uniform(Program::code[J]) && kind != code_kind::reduce && passes.phase[J] == P;
    if constexpr (now)
      if (kind != code_kind::store || team.rank() == 0) run.template evaluate<J>();
  }
  template <int P, int J>
  TESSERA_FUNCTION void element(program const& run) const {
    if constexpr (needs<P, J>()) {
      if constexpr (Program::code[J].kind == code_kind::reduce) {
        auto& sum = accumulator<J>(run);
        TESSERA_UNROLL
        for (int k = 0; k < group_size; ++k)
          if (k < run.count) sum = combine<Program::monoids[J]>(sum, run.template at<Program::code[J].a>(k));
      } else {
        run.template evaluate<J>();
      }
    }
  }
  template <int J>
  TESSERA_FUNCTION lane_of<Program::code[J].element>& accumulator(program const& run) const {
    return run.template at<J>();
  }
  template <int P, int J>
  TESSERA_FUNCTION void start(program const& run) const {
    if constexpr (needs<P, J>() && Program::code[J].kind == code_kind::reduce)
      accumulator<J>(run) = identity_of<Program::monoids[J], lane_of<Program::code[J].element>>();
  }
  template <int P, int J>
  TESSERA_FUNCTION void finish(team_member const& team, program const& run, scalar_registers<Program>& totals) const {
    if constexpr (needs<P, J>() && Program::code[J].kind == code_kind::reduce) {
      using A = lane_of<Program::code[J].element>;
      constexpr monoid how = Program::monoids[J];
      auto* const parts = static_cast<A*>(team.scratch());
      team.barrier();
      A const sum = sum_of_team(team, threads, parts, accumulator<J>(run), [](A x, A y) { return combine<how>(x, y); });
      A& total = static_cast<scalar_slot<J, A, 1>&>(totals).value[0];
      total = run.segment == 0 ? sum : combine<how>(total, sum);
    }
  }
  template <int P, int J>
  TESSERA_FUNCTION void settle(program const& run, scalar_registers<Program>& totals) const {
    if constexpr (needs<P, J>() && Program::code[J].kind == code_kind::reduce) {
      using A = lane_of<Program::code[J].element>;
      accumulator<J>(run) =
          settled<element_of<Program::code[J].element>>(static_cast<scalar_slot<J, A, 1>&>(totals).value[0]);
    }
  }
};

template <class Program, class Arguments>
void launch_program_with(std::string const& label, Arguments const& arguments, std::int64_t count,
                         std::int64_t columns) {
  if constexpr (Program::by_rows) {
    int const threads = threads_for_row(columns);
    int width = 0;  // of the widest register; one array is used by one reduction after the other
    for (auto const& i : Program::code)
      if (i.kind == code_kind::reduce) width = std::max(width, register_bytes(i.element));
    launch_teams(label, count, threads, threads * width, row_kernel<Program, Arguments>{arguments, columns, threads});
  } else {
    std::int64_t const groups = (columns + group_size - 1) / group_size;
    element_kernel<Program, Arguments> kernel{arguments, columns};
    kernel.arguments.extent[arguments.rank - 1] = groups;
    launch_elements(label, columns == 0 ? 0 : count / columns * groups, kernel);
  }
}

template <class Program>
void launch_program(std::string const& label, fused_work const& work, fused_arguments const& arguments,
                    std::int64_t count, std::int64_t columns) {
  using by_value = value_arguments<operands_of<Program>(), literals_of<Program>()>;
  if constexpr (sizeof(by_value) <= most_kernel_bytes)
    launch_program_with<Program>(label, by_value(work, arguments), count, columns);
  else
    launch_program_with<Program>(label, arguments, count, columns);
}

}  // namespace detail

}  // namespace tessera
