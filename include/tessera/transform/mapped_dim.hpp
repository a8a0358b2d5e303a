// SPDX-License-Identifier: Apache-2.0
#pragma once
// The dimensions that vmap maps: where they are, what one slice is, and what those of all arguments have in common.

#include <tessera/control/carried.hpp>
#include <tessera/graph/builder.hpp>

#include <limits>

namespace tessera {

// Instead of a dimension: the same value for all slices.
inline constexpr int unmapped = std::numeric_limits<int>::min();

namespace ops {

// The operation that refusals of vmap name.
struct vmap {
  static constexpr std::string_view name = "vmap";
  static constexpr op_class kind = op_class::identity;
};

}  // namespace ops

namespace detail {

// Dimension d of a value of this rank, negative ones from the end; the verdict if there is none.
struct mapped_dim {
  int at = 0;
  verdict what{};
  constexpr mapped_dim(int d, int rank) : at(d < 0 ? d + rank : d) {
    if (at < 0 || at >= rank) what = refuse(reason::dim_out_of_range, -1, {}, d, rank);
  }
};

// The type of one slice of A along Dim, on mesh M.
template <ArrayType A, int Dim>
struct one_slice {
  static constexpr mapped_dim dim{Dim, A::rank};
  static constexpr verdict what = dim.what;
  static constexpr array_value facts = what ? without_dim(A::value, dim.at) : A::value;
};
// The type of all results A along a new dimension Dim.
template <ArrayType A, int Dim, std::int64_t Size, std::uint32_t Entry>
struct all_slices {
  static constexpr mapped_dim dim{Dim == unmapped ? 0 : Dim, A::rank + 1};
  static constexpr verdict what = dim.what;
  static constexpr array_value facts =
      Dim == unmapped || !what ? A::value : with_dim(A::value, dim.at, Size, entry_value{Entry});
};

// The common extent and layout of the arguments' mapped dimensions; `what` if they differ.
struct batch_dim {
  bool asked = false, any = false;
  int at = -1;  // of the first
  std::int64_t size = dynamic;
  entry_value entry{};
  verdict what{};
  array_value first{}, other{};

  constexpr void add(array_value const& x, int dim) {
    mapped_dim const d(dim, x.rank);
    asked = true;
    if (!what || !d.what) return;
    auto const extent = x.extent(d.at);
    if (!any) {
      first = x;
      at = d.at;
      size = extent;
      entry = x.entry(d.at);
    } else if (extent != size && extent != dynamic && size != dynamic) {
      what = refuse(reason::shapes_disagree, d.at, {}, size, extent);
    } else if (!(x.entry(d.at) == entry)) {
      what = refuse(reason::dims_disagree, at, entry.axes() | x.entry(d.at).axes());
      what.rhs_dim = d.at;
      what.one_entry = true;
    }
    if (!what) other = x;
    if (size == dynamic) size = extent;
    any = true;
  }
};
// For tree_each over signatures, or over handles.
struct add_type {
  batch_dim* batch;
  int dim;
  template <class X>
  constexpr void operator()(X const&) const {
    if constexpr (ArrayType<X>) batch->add(X::value, dim);
  }
};
struct add_node {
  batch_dim* batch;
  int dim;
  template <class X>
  constexpr void operator()(X const& x) const {
    if constexpr (is_traced<X>) batch->add(facts_of(*x.graph, x.node), dim);
  }
};
// A value that is the same for all slices must not be split over the axes of the mapped dimension.
struct check_unmapped {
  batch_dim const* batch;
  site at;
  template <class X>
  constexpr void operator()(X const& x) const {
    if constexpr (is_traced<X>) {
      array_value const facts = facts_of(*x.graph, x.node);
      if (axis_set const both = facts.sharded_axes() & batch->entry.axes(); !both.empty())
        x.graph->refuse(refusal{refuse(reason::axis_used_twice, -1, both), &bare_info<ops::vmap>, at, facts, {}, 1});
    }
  }
};

}  // namespace detail
}  // namespace tessera
