// SPDX-License-Identifier: Apache-2.0
#pragma once
// The content of pictures of a sharding: tables of parts over the last two dimensions, one table per part of the
// others.

#include <tessera/array/sharding_object.hpp>
#include <tessera/engine/view/palette.hpp>

#include <algorithm>
#include <cctype>

namespace tessera {

// One table: rows over the second-to-last dimension, columns over the last. A missing dimension is one row or column.
struct part_table {
  std::string heading;  // [0:2, :, :] for rank above 2, else empty
  std::int64_t rows = 1, columns = 1;
  std::int64_t which = 0, tables = 1;        // table `which` of `tables`
  std::vector<std::vector<int>> device_ids;  // rows x columns, each sorted
  std::vector<int> const& at(std::int64_t row, std::int64_t column) const { return device_ids[row * columns + column]; }
  rgb color(std::int64_t row, std::int64_t column) const {
    return part_color(row, column, rows, columns, which, tables);
  }
};

namespace detail {

inline std::string heading_of(extents_list const& extents, extents_list const& shard, region const& index) {
  std::string text = "[";
  for (int d = 0; d < extents.size(); ++d) {
    if (d) text += ", ";
    if (d < extents.size() - 2 && shard[d] != extents[d])
      text += std::to_string(index[d].start) + ':' + std::to_string(index[d].stop);
    else
      text += ':';
  }
  return text + "]";
}

}  // namespace detail

// Throws std::invalid_argument if the spec does not fit the extents.
inline std::vector<part_table> part_tables(extents_list const& extents, concrete_sharding const& sharding) {
  int const rank = extents.size();
  extents_list const shard = sharding.shard_shape(extents);
  part_table blank;
  if (rank >= 1) blank.columns = sharding.parts(rank - 1);
  if (rank >= 2) blank.rows = sharding.parts(rank - 2);
  blank.device_ids.resize(blank.rows * blank.columns);
  std::int64_t count = 1;
  for (int d = 0; d < rank - 2; ++d) count *= sharding.parts(d);
  blank.tables = count;
  std::vector<part_table> tables(count, blank);
  for (std::int64_t i = 0; i < count; ++i) tables[i].which = i;
  auto const map = sharding.devices_indices_map(extents);
  for (std::size_t p = 0; p < map.size(); ++p) {
    auto const part = [&](int d) { return sharding.part_at(d, static_cast<std::int64_t>(p)); };
    std::int64_t which = 0;
    for (int d = 0; d < rank - 2; ++d) which = which * sharding.parts(d) + part(d);
    part_table& table = tables[which];
    if (rank > 2 && table.heading.empty()) table.heading = detail::heading_of(extents, shard, map[p].index);
    auto const row = rank >= 2 ? part(rank - 2) : 0, column = rank >= 1 ? part(rank - 1) : 0;
    table.device_ids[row * table.columns + column].push_back(map[p].where.id);
  }
  for (part_table& table : tables)
    for (auto& ids : table.device_ids) std::sort(ids.begin(), ids.end());
  return tables;
}

// The platform in capitals: CPU, GPU.
inline std::string platform_label(concrete_sharding const& sharding) {
  std::string label(sharding.devices().empty() ? std::string_view() : sharding.devices().front().platform);
  for (char& c : label) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return label;
}

// "CPU 0,1,2" in lines of at most `width` where commas allow; width 0: one line.
inline std::vector<std::string> device_label(std::string const& platform, std::vector<int> const& ids,
                                             std::int64_t width = 0) {
  std::vector<std::string> lines{platform};
  for (std::size_t i = 0; i < ids.size(); ++i) {
    std::string const word = std::to_string(ids[i]) + (i + 1 < ids.size() ? "," : "");
    std::size_t const space = i == 0;
    if (width && lines.back().size() + space + word.size() > static_cast<std::size_t>(width))
      lines.push_back(word);
    else
      lines.back() += std::string(space, ' ') + word;
  }
  return lines;
}

}  // namespace tessera
