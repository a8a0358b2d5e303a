// SPDX-License-Identifier: Apache-2.0
#pragma once
// A cache of paths between layouts on one mesh: planning many programs, or one program under many layouts, needs the
// same paths repeatedly.

#include <tessera/plan/path/reshard_path.hpp>

namespace tessera {

class known_paths final : public path_source {
public:
  explicit known_paths(mesh_value const& mesh) : mesh_(mesh) { heads_.resize(buckets, -1); }

  layout_path const& find(array_value const& shape, block_layout const& from, block_layout const& to,
                          bool sums = true) override {
    int& head = heads_[hash(shape, from, to)];
    for (int i = head; i >= 0; i = kept_[i].next) {
      entry const& known = kept_[i];
      if (known.element == shape.element && known.sums == sums && known.from == from && known.to == to &&
          known.extents == shape.shape())
        return known.path;
    }
    kept_.push_back({shape.shape(), shape.element, sums, from, to, find_path(mesh_, shape, from, to, sums), head});
    head = static_cast<int>(kept_.size()) - 1;
    return kept_.back().path;
  }
  std::size_t size() const { return kept_.size(); }

private:
  static constexpr std::size_t buckets = 1024;
  struct entry {
    extents_list extents{};
    dtype element{};
    bool sums = true;
    block_layout from{}, to{};
    layout_path path{};
    int next = -1;  // the next entry with the same hash
  };
  static constexpr std::size_t hash(array_value const& shape, block_layout const& from, block_layout const& to) {
    std::uint64_t h = from.pending.bits * 31u + to.pending.bits;
    for (int d = 0; d < shape.rank; ++d) {
      auto const own = static_cast<std::uint64_t>(shape.extent(d)) ^ std::uint64_t{from.entry(d).code} << 20 ^
                       std::uint64_t{to.entry(d).code} << 40;
      h = (h ^ own) * 0x9E3779B97F4A7C15u;
    }
    return static_cast<std::size_t>(h >> 48) % buckets;
  }

  mesh_value mesh_;
  growable<int> heads_;  // the newest entry of each hash
  growable<entry> kept_;
};

}  // namespace tessera
