// SPDX-License-Identifier: Apache-2.0
// The first byte chooses the delimiter and whether there is a header.

#include <tessera/data.hpp>

#include "fuzz/survive.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace ts = tessera;

namespace {
template <class T>
void read_rows(ts::rows_of<T> const& rows, std::int64_t most) {
  ts::region all;
  for (auto extent : rows.extents()) all.push_back({0, extent});
  std::int64_t const size = ts::detail::size_of(all);
  if (size > most) ts::testing::found("more than the file has", std::to_string(size));
  std::vector<std::byte> out(static_cast<std::size_t>(size) * sizeof(T));
  for (std::int64_t i = 0; i < rows.count(); ++i) rows.source().read(i, all, out.data());
}
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t bytes) {
  if (bytes == 0) return 0;
  auto const file = ts::mapped_file::of_bytes("x", std::string(ts::testing::text_of(data + 1, bytes - 1)));
  ts::testing::survive<std::exception>([&] {
    ts::csv_file const table(file, {.delimiter = (*data & 1) != 0 ? ';' : ',', .header = (*data & 2) != 0});
    read_rows(table.columns<float>({.count = table.fields(), .nan = (*data & 4) != 0}), file.size() + 1);
    read_rows(table.column<std::int16_t>({.first = table.fields() - 1}), 1);
  });
  return 0;
}
