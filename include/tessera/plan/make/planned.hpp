// SPDX-License-Identifier: Apache-2.0
#pragma once
// The plan of a traced program as a constant of its own size. It is made once, in a constant with room for most plans,
// and cut from that; a larger plan is made a second time.

#include <tessera/plan/cost/cost.hpp>
#include <tessera/plan/cost/partitioned.hpp>
#include <tessera/plan/make/make_plan.hpp>

namespace tessera::detail {

// The room for the plan of a program of this size. There are only two sizes of rooms, so that programs share types.
constexpr plan_size room_for(graph_size const& traced) {
  std::size_t const nodes = traced.nodes <= 256 ? 512 : 2 * TESSERA_ROOM;
  return {{nodes, 4 * nodes, nodes, nodes, 512, nodes}, nodes, 4 * nodes, 4 * nodes, nodes, 512};
}

template <plan_size Room>
struct kept_plan {
  plan_size size{};
  bool whole = false;
  plan<Room> in{};

  constexpr explicit kept_plan(growable_plan const& made) : size(made.size()), whole(Room.holds(size)) {
    if (whole) in.take(made.view());
  }
};

// The plan that Source::make() returns for a program of size Source::traced_size.
template <class Source>
struct planned_once {
  static constexpr kept_plan<room_for(Source::traced_size)> kept{Source::make()};
  static constexpr plan_size size = kept.size;
  static constexpr plan<size> value = [] {
    if constexpr (kept.whole)
      return plan<size>(kept.in.view(size));
    else
      return plan<size>(Source::make().view());
  }();
};

// The plan of a traced program. Over Auto axes the planner chooses the layouts, also those of the arguments.
constexpr growable_plan plan_traced(graph_view const& traced) {
  if (!leaves_layouts_open(traced)) {
    if (!block_maker::has_work(traced)) return make_plan(traced);
    return make_plan(in_blocks(growable_graph::copy_of(traced)).view());
  }
  return make_plan(laid_out_by_choice(traced).view());
}
template <class T>
struct plan_of_trace {
  static constexpr graph_size traced_size = T::traced_size;
  static constexpr growable_plan make() { return plan_traced(T::traced()); }
};

// The plan of trace T, and its communication.
template <class T>
struct planned : planned_once<plan_of_trace<T>> {
  using once = planned_once<plan_of_trace<T>>;
  static constexpr communication<typename T::mesh, once::size.messages> cost{once::value.messages,
                                                                             once::value.peak_bytes};
};

}  // namespace tessera::detail
