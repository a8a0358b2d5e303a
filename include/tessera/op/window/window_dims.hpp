// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where windows lie over the dimensions of an array, and what of a neighbor they need where it is split.

#include <tessera/op/base/opaque.hpp>

namespace tessera {
namespace ops {

// A window that moves along up to three dimensions.
struct window_dims {
  enum group { size, stride, low, high, dilation, dim, extent };
  int rank = 0;
  bool before = false;  // patches: (..., size..., place...); otherwise places are kept, sizes come last
  double fill = 0;
  std::int64_t at[7][3]{};

  constexpr std::int64_t places(int i) const {
    std::int64_t const reach = at[extent][i] + at[low][i] + at[high][i] - (at[size][i] - 1) * at[dilation][i] - 1;
    return at[extent][i] == dynamic ? dynamic : reach < 0 ? 0 : reach / at[stride][i] + 1;
  }
  constexpr window_dims filled_with(double value) const {
    window_dims filled = *this;
    filled.fill = value;
    return filled;
  }
  TESSERA_FUNCTION static constexpr void fields(auto& p, auto&& each) {
    each(p.rank, p.before, p.fill);
    for (int k = 0; k < 7; ++k) {
      auto& of = p.at[k];
      if (k != dim) {
        each(of[0], of[1], of[2]);
        continue;
      }
      dimension along[3]{of[0], of[1], of[2]};
      each(along[0], along[1], along[2]);
      if constexpr (!std::is_const_v<std::remove_reference_t<decltype(p)>>)
        for (int i = 0; i < 3; ++i) of[i] = along[i];
    }
  }
};

// The positions of sizes and places in the patches of an array of rank `rank`.
constexpr void window_places(window_dims const& w, int rank, extents_list& dims) {
  for (int i = 0; i < w.rank; ++i) dims.push_back(w.before ? rank - w.rank + i : rank + i);
  for (int i = 0; i < w.rank; ++i) dims.push_back(w.before ? rank + i : w.at[window_dims::dim][i]);
}

// The positions of the window's dimensions in an array of rank `rank`, and of its places in the patches.
struct split_dims {
  int source[3]{}, places[3]{};
  constexpr split_dims(window_dims const& w, int rank) {
    extents_list at;
    window_places(w, rank, at);
    for (int i = 0; i < w.rank; ++i) {
      source[i] = static_cast<int>(w.at[window_dims::dim][i]);
      places[i] = static_cast<int>(at[w.rank + i]);
    }
  }
};

// What the places of one block of a split dimension read: `block` elements of its own, and numbers of elements of the
// neighbors before and behind it (`low`, `high`; negative: a number of its own elements that are not read), and the
// value of the padding at both ends.
struct window_halo {
  bool possible = false;
  std::int64_t block = 0, low = 0, high = 0;

  // The number of elements of a neighbor `hop` blocks away.
  static constexpr std::int64_t from(std::int64_t all, std::int64_t block, int hop) {
    std::int64_t const left = all - (hop - 1) * block;
    return left < block ? left : block;
  }
  constexpr std::int64_t reach() const { return low + block + high; }
};
// For dimension i of the window, split by `by`: possible if each block has the places that begin in it, as with same
// padding and a stride that divides the block, and if it sends no more than gathering the dimension.
constexpr window_halo halo_of(window_dims const& w, int i, entry_value by, mesh_value const& mesh) {
  constexpr std::int64_t most_pieces = 15;
  auto const extent = w.at[window_dims::extent][i], stride = w.at[window_dims::stride][i], places = w.places(i);
  auto const parts = mesh.devices(by.axes());
  window_halo halo;
  if (by.empty() || extent == dynamic || parts == dynamic || places <= 0 || parts <= 1 || extent != stride * places ||
      places % parts != 0)
    return halo;
  halo.block = extent / parts;
  halo.low = w.at[window_dims::low][i];
  halo.high = (w.at[window_dims::size][i] - 1) * w.at[window_dims::dilation][i] + 1 - stride - halo.low;
  auto const before = halo.low > 0 ? halo.low : 0, behind = halo.high > 0 ? halo.high : 0;
  auto const unread = (before - halo.low) + (behind - halo.high);
  auto const pieces = (before + halo.block - 1) / halo.block + (behind + halo.block - 1) / halo.block;
  halo.possible = unread < halo.block && before + behind <= (parts - 1) * halo.block && pieces <= most_pieces;
  return halo;
}

}  // namespace ops
}  // namespace tessera
