// SPDX-License-Identifier: Apache-2.0
// Loaders: each row once an epoch, in the order that the key decides, whatever the layout; batches that are filled up; going
// on from a position; and what is said where sources and types do not fit.

#include <tessera/data.hpp>

#include "support/file_of.hpp"
#include "support/on_grid.hpp"

#include <atomic>
#include <set>
#include <stdexcept>

namespace {

using namespace on_grid;
using ts::none;
using ts::P;
using ts::shape;

constexpr std::int64_t rows = 53, width = 6;

// Row i has i * 10, i * 10 + 1, ...
std::vector<float> const numbers = [] {
  std::vector<float> v;
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t k = 0; k < width; ++k) v.push_back(static_cast<float>(i * 10 + k));
  return v;
}();
std::vector<std::int32_t> const labels = [] {
  std::vector<std::int32_t> v;
  for (std::int64_t i = 0; i < rows; ++i) v.push_back(static_cast<std::int32_t>(i));
  return v;
}();
ts::rows_of<float> features() { return ts::rows_of(ts::host<rows, width>(numbers)); }
ts::rows_of<std::int32_t> targets() { return ts::rows_of(ts::host<rows>(labels)); }
ts::device_mesh<grid> mesh() { return ts::make_mesh<grid>(ts::devices()); }

template <class S, std::int64_t Batch = 8>
using x_type = ts::array_type<float, shape<Batch, width>, S, grid>;
template <class S, std::int64_t Batch = 8>
using y_type = ts::array_type<std::int32_t, shape<Batch>, S, grid>;
template <class S, std::int64_t Batch = 8>
using mask_type = ts::array_type<float, shape<Batch>, S, grid>;

// The rows of a batch: whole, and real where its mask says so.
std::vector<int> rows_in(auto const& x, auto const& y, auto const& mask) {
  auto const values = x.to_host();
  auto const numbers_of = y.to_host();
  auto const real = mask.to_host();
  std::vector<int> found;
  for (std::size_t i = 0; i < numbers_of.size(); ++i) {
    for (std::size_t k = 0; k < width; ++k)
      EXPECT_EQ(values[i * width + k], real[i] == 1 ? static_cast<float>(numbers_of[i] * 10 + static_cast<int>(k)) : 0);
    if (real[i] == 1)
      found.push_back(numbers_of[i]);
    else
      EXPECT_EQ(numbers_of[i], 0);
  }
  return found;
}
// The rows of epoch 0 and 1, batch by batch.
template <class SX, class SY>
std::vector<std::vector<int>> two_epochs(ts::loader_options options) {
  ts::loader<x_type<SX>, y_type<SY>, mask_type<P<>>> batches(mesh(), options, features(), targets(), ts::row_mask{});
  std::vector<std::vector<int>> found;
  for (int e = 0; e < 2; ++e)
    for (auto const& [x, y, real] : batches.epoch()) found.push_back(rows_in(x, y, real));
  EXPECT_EQ(static_cast<std::int64_t>(found.size()), 2 * batches.batches());
  EXPECT_EQ(batches.position(), (ts::loader_position{options.key, rows, 2, 0}));
  return found;
}

TEST(loader, each_row_once_an_epoch) {
  auto const found = two_epochs<P<dp>, P<dp>>({.key = 3, .last = ts::last_batch::padded});
  ASSERT_EQ(found.size(), 14u);
  for (std::size_t e : {0u, 1u}) {
    std::multiset<int> seen;
    for (std::size_t b = 0; b < 7; ++b) {
      EXPECT_EQ(found[7 * e + b].size(), b == 6 ? 5u : 8u);
      seen.insert(found[7 * e + b].begin(), found[7 * e + b].end());
    }
    EXPECT_EQ(seen.size(), 53u);
    EXPECT_EQ(std::set<int>(seen.begin(), seen.end()).size(), 53u);
  }
  EXPECT_NE(found[0], found[7]) << "each epoch has an order of its own";
  EXPECT_NE(found, (two_epochs<P<dp>, P<dp>>({.key = 4, .last = ts::last_batch::padded})));
}

TEST(loader, the_rest_is_dropped) {
  auto const found = two_epochs<P<dp>, P<dp>>({.key = 3}),
             padded = two_epochs<P<dp>, P<dp>>({.key = 3, .last = ts::last_batch::padded});
  ASSERT_EQ(found.size(), 12u);
  for (std::size_t b = 0; b < 6; ++b) EXPECT_EQ(found[b], padded[b]);
}

TEST(loader, in_every_layout_the_same) {
  ts::loader_options const options{.key = 5, .last = ts::last_batch::padded};
  auto const one = two_epochs<P<>, P<>>(options);
  EXPECT_EQ((two_epochs<P<dp>, P<dp>>(options)), one);
  EXPECT_EQ((two_epochs<P<dp, mp>, P<mp>>(options)), one);
  EXPECT_EQ((two_epochs<P<none, mp>, P<ts::axes<mp, dp>>>(options)), one);
  EXPECT_EQ((two_epochs<P<ts::axes<dp, mp>, none>, P<dp>>(options)), one);
}

TEST(loader, ahead_or_not) {
  for (int ahead : {0, 1, 5})
    EXPECT_EQ((two_epochs<P<dp>, P<dp>>({.key = 3, .ahead = ahead})), (two_epochs<P<dp>, P<dp>>({.key = 3})));
}

TEST(loader, in_order) {
  auto const found = two_epochs<P<dp>, P<dp>>({.shuffle = false});
  EXPECT_EQ(found[0], (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(found[6], found[0]);
}

TEST(loader, some_of_the_rows) {
  auto const [train, test] = ts::split_rows(rows, 13, 8);
  std::multiset<int> seen;
  for (auto const& set : {train, test}) {
    ts::loader<y_type<P<dp>>, mask_type<P<dp>>> batches(mesh(), {.last = ts::last_batch::padded, .rows = set},
                                                        targets(), ts::row_mask{});
    EXPECT_EQ(batches.rows(), set.count);
    for (auto const& [y, real] : batches.epoch())
      for (std::size_t i = 0; i < 8; ++i)
        if (real.to_host()[i] == 1) seen.insert(y.to_host()[i]);
  }
  EXPECT_EQ(std::vector<int>(seen.begin(), seen.end()), labels);
}

// Stopped after any batch and begun again, it goes on as if it had not been; so it does with batches of another size.
TEST(loader, goes_on_where_it_was) {
  ts::loader_options const options{.key = 11, .last = ts::last_batch::padded};
  using small = ts::loader<y_type<P<dp>>, mask_type<P<dp>>>;
  small whole(mesh(), options, targets(), ts::row_mask{});
  std::vector<int> all;
  std::vector<std::pair<ts::loader_position, std::size_t>> stops{{whole.position(), 0}};
  for (int b = 0; b < 16; ++b) {
    auto const [y, real] = whole.next();
    for (std::size_t i = 0; i < 8; ++i)
      if (real.to_host()[i] == 1) all.push_back(y.to_host()[i]);
    stops.emplace_back(whole.position(), all.size());
  }
  for (auto const& [position, seen] : stops) {
    small again(mesh(), options, targets(), ts::row_mask{});
    again.next();
    again.seek(position);
    ts::loader<y_type<P<dp>, 4>, mask_type<P<dp>, 4>> other(mesh(), options, targets(), ts::row_mask{});
    other.seek(position);
    EXPECT_EQ(again.position(), position);
    auto const next_of = [](auto& batches, std::size_t n) {
      std::vector<int> rows_of;
      while (rows_of.size() < n) {
        auto const [y, real] = batches.next();
        for (std::size_t i = 0; i < y.to_host().size(); ++i)
          if (real.to_host()[i] == 1) rows_of.push_back(y.to_host()[i]);
      }
      rows_of.resize(n);
      return rows_of;
    };
    std::size_t const n = std::min<std::size_t>(all.size() - seen, 60);
    std::vector<int> const rest(all.begin() + static_cast<std::ptrdiff_t>(seen),
                                all.begin() + static_cast<std::ptrdiff_t>(seen + n));
    EXPECT_EQ(next_of(again, n), rest);
    EXPECT_EQ(next_of(other, n), rest);
  }
}

TEST(loader, what_is_left_of_an_epoch) {
  ts::loader<y_type<P<dp>>> batches(mesh(), {}, targets());
  batches.next();
  int left = 0;
  for ([[maybe_unused]] auto const& batch : batches.epoch())
    EXPECT_EQ(batches.position().rows_seen(), ++left < batches.batches() - 1 ? 8 * (left + 1) : 53);
  EXPECT_EQ(left, batches.batches() - 1);
  EXPECT_EQ(batches.position(), (ts::loader_position{0, 53, 1, 0})) << "after the last batch: the next epoch's first";
  for ([[maybe_unused]] auto const& batch : batches.epoch()) {
    if (++left == 8) break;
  }
  EXPECT_EQ(batches.position().epoch, 1);
}

TEST(loader, types_are_those_that_a_step_takes) {
  auto const x = ts::device_put<P<dp>>(ts::host<8, width>(std::vector<float>(8 * width)), mesh());
  ts::loader<decltype(x)> batches(mesh(), {}, features());
  static_assert(std::is_same_v<std::tuple_element_t<0, decltype(batches.next())>, std::remove_const_t<decltype(x)>>);
  auto [batch] = batches.next();
  EXPECT_EQ(ts::jit([](auto a) { return ts::sum(a * 0.0f); })(batch).item(), 0);
}

// Extents that are known when it runs, on axes that split unevenly.
struct un : ts::axis {};
TEST(loader, sizes_known_when_it_runs) {
  using loose = ts::mesh<ts::explicit_axis<dp, ts::dynamic>, ts::explicit_axis<mp, ts::dynamic>>;
  auto const here = ts::make_mesh<loose>(ts::devices(), {2, 4});
  using type = ts::array_type<float, shape<ts::dynamic, ts::dynamic>, P<dp>, loose>;
  ts::loader<type> batches(here, {.shuffle = false, .batch = 10}, features());
  auto const [x] = batches.next();
  EXPECT_EQ(x.shape(), (ts::extents_list{10, width}));
  EXPECT_EQ(x.to_host(), std::vector<float>(numbers.begin(), numbers.begin() + 60));
}
TEST(loader, blocks_that_are_not_equal) {
  using uneven = ts::mesh<ts::uneven_axis<un, 8>>;
  auto const here = ts::make_mesh<uneven>(ts::devices());
  ts::loader<ts::array_type<float, shape<10, width>, P<un>, uneven>,
             ts::array_type<float, shape<10, width>, P<none, un>, uneven>>
      batches(here, {.shuffle = false}, features(), features());
  auto const [x, y] = batches.next();
  EXPECT_EQ(x.to_host(), std::vector<float>(numbers.begin(), numbers.begin() + 60));
  EXPECT_EQ(y.to_host(), x.to_host());
}

TEST(loader, rows_by_a_function) {
  ts::rows_of<float> const made(20, {width}, [](std::int64_t row, ts::region const& part, float* out) {
    for (std::int64_t k = part[0].start; k < part[0].stop; ++k) *out++ = static_cast<float>(row * 10 + k);
  });
  ts::loader<x_type<P<dp, mp>>> batches(mesh(), {.shuffle = false}, made);
  EXPECT_EQ(std::get<0>(batches.next()).to_host(), std::vector<float>(numbers.begin(), numbers.begin() + 48));
}

// What a source throws is thrown where its batch is asked for, not sooner; asked again, it is tried again.
TEST(loader, a_source_that_fails) {
  std::atomic<bool> broken = true;
  ts::rows_of<float> const made(24, {}, [&](std::int64_t row, ts::region const&, float* out) {
    if (row == 17 && broken) throw std::runtime_error("row 17");
    *out = static_cast<float>(row);
  });
  ts::loader<mask_type<P<dp>>> batches(mesh(), {.shuffle = false}, made);
  batches.next();
  batches.next();
  EXPECT_THROW(batches.next(), std::runtime_error);
  EXPECT_THROW(batches.next(), std::runtime_error);
  EXPECT_EQ(batches.position().row, 16);
  broken = false;
  EXPECT_EQ(std::get<0>(batches.next()).to_host()[0], 16);
}

template <class F>
void expect_refused(F const& f, std::string const& said) {
  std::string const error = ts::testing::said_by<std::invalid_argument>(f);
  EXPECT_NE(error.find(said), std::string::npos) << error;
  EXPECT_NE(error.find("Fix: "), std::string::npos) << error;
}
TEST(loader, what_does_not_fit) {
  using y = y_type<P<dp>>;
  auto const here = mesh();
  auto const short_rows = ts::rows_of(ts::host<10>(std::vector<std::int32_t>(10)));
  expect_refused([&] { ts::loader<x_type<P<dp>, 16>, y_type<P<dp>, 16>>(here, {}, features(), short_rows); },
                 "source 1 has 10 rows, and those before 53");
  expect_refused([&] { ts::loader<ts::array_type<float, shape<8, 5>, P<dp>, grid>>(here, {}, features()); },
                 "source 0 has rows of (6), and a batch of its type is (8, 5)");
  expect_refused([&] { ts::loader<ts::array_type<float, shape<8>, P<dp>, grid>>(here, {}, features()); },
                 "source 0 has rows of (6)");
  expect_refused([&] { ts::loader<y_type<P<dp>, 64>>(here, {}, targets()); }, "53 rows are no whole batch of 64");
  expect_refused([&] { ts::loader<y>(here, {.batch = 4}, targets()); },
                 "batches of 4 rows are asked for, and their types have 8");
  expect_refused(
      [&] { ts::loader<ts::array_type<std::int32_t, shape<ts::dynamic>, P<dp>, grid>>(here, {}, targets()); },
      "a batch has no rows");
  expect_refused(
      [&] {
        ts::loader<y>(here, {.rows = ts::row_set{50, 0, 50}}, targets());
      },
      "the set of rows is not one of these 53");
  expect_refused(
      [&] {
        ts::loader<y>(here, {.rows = ts::row_set{53, 50, 50}}, targets());
      },
      "the set of rows is not one of these 53");
  expect_refused([&] { ts::loader<y>(here, {.ahead = -1}, targets()); }, "ahead is not negative");
  expect_refused([&] { ts::loader<mask_type<P<dp>>>(here, {}, ts::row_mask{}); }, "no source but masks");
  expect_refused([&] { ts::loader<y>(ts::device_mesh<grid>{}, {}, targets()); }, "no devices");
  ts::loader<y> batches(here, {.key = 1}, targets());
  expect_refused([&] { batches.seek({2, rows, 0, 0}); }, "in the order of key 2");
  expect_refused([&] { batches.seek({1, rows + 1, 0, 0}); }, "one of 54 rows");
  expect_refused([&] { batches.seek({1, rows, 0, rows}); }, "no epoch has the row 53");
  expect_refused([&] { batches.seek({1, rows, -1, 0}); }, "there is no epoch -1");
  expect_refused([&] { batches.seek({1, rows, INT64_MAX, 52}); }, "there is no epoch 9223372036854775807");
  expect_refused([&] { batches.seek({1, rows, INT64_MAX / rows, 0}); }, "there is no epoch");
  using open = ts::array_type<std::int32_t, shape<ts::dynamic>, P<dp>, grid>;
  expect_refused([&] { ts::loader<open>(here, {.last = ts::last_batch::padded, .batch = INT64_MAX}, targets()); },
                 "a batch of (9223372036854775807) is more than any memory holds");
  expect_refused([&] { ts::rows_of(ts::host_view<float, shape<>>(numbers.data(), {})); }, "no dimensions");
}

TEST(loader, tokens_and_the_next_ones) {
  std::string bytes;
  for (int i = 0; i < 100; ++i) {
    bytes += static_cast<char>(i);
    bytes += '\0';
  }
  ts::testing::file_of const file(bytes, ".bin");
  ts::token_file const text(file.path());
  EXPECT_EQ(text.count(), 100);
  using type = ts::array_type<std::int32_t, shape<4, 8>, P<dp, mp>, grid>;
  ts::token_runs const runs{.length = 8, .vocabulary = 100};
  ts::loader<type, type> batches(mesh(), {.key = 1}, text.sequences(runs), text.next_tokens(runs));
  EXPECT_EQ(batches.batches(), 3);
  for (auto const& [now, next] : batches.epoch()) {
    auto const a = now.to_host(), b = next.to_host();
    for (std::size_t i = 0; i < 32; ++i) {
      EXPECT_EQ(b[i], a[i] + 1);
      EXPECT_EQ(a[i], a[i / 8 * 8] + static_cast<int>(i % 8));
      EXPECT_EQ(a[i / 8 * 8] % 8, 0);
    }
  }
  EXPECT_EQ(text.sequences({.length = 8, .apart = 1}).count(), 92);
  EXPECT_EQ(text.sequences<std::uint8_t>({.length = 99}).count(), 1);
}

TEST(loader, bad_token_files) {
  using ts::testing::said_by;
  ts::testing::file_of const file(std::string("\x01\0\xff\xff\x02\0\x03\0", 8), ".bin");
  ts::token_file const text(file.path());
  auto const read = [](auto const& from) {
    std::int64_t out[4];
    from.source().read(0, {{0, 3}}, reinterpret_cast<std::byte*>(out));
  };
  EXPECT_EQ(
      said_by<ts::file_error>([&] { read(text.sequences({.length = 3, .vocabulary = 1000})); }),
      file.path() +
          ": byte 2: token 65535 is not below 1000. Fix: a file of this vocabulary, or uint16 and uint32 told apart.");
  EXPECT_EQ(
      said_by<ts::file_error>([&] { read(text.sequences<std::int16_t>({.length = 3})); }),
      file.path() +
          ": byte 2: token 65535 is not below 32768. Fix: a wider type: sequences<std::int32_t> or <std::uint32_t>.");
  EXPECT_EQ(
      said_by<ts::file_error>([&] { static_cast<void>(text.sequences({.length = 4})); }),
      file.path() +
          ": byte 8: the file ends after 4 tokens, and a run has 4 and a next one. Fix: a shorter run or a longer file.");
  expect_refused([&] { static_cast<void>(text.sequences({})); }, "a length of 1 or more");
  expect_refused([&] { static_cast<void>(text.sequences<float>({.length = 1})); }, "whole numbers");
  expect_refused([&] { ts::token_file(file.path(), ts::dtype::int32); }, "uint16 or uint32");
  ts::testing::file_of const odd("abc", ".bin"), empty("", ".bin");
  EXPECT_EQ(
      said_by<ts::file_error>([&] { ts::token_file{odd.path()}; }),
      odd.path() +
          ": byte 2: the file ends within a token of 2 bytes. Fix: the whole file, or the type that its tokens have.");
  EXPECT_NE(said_by<ts::file_error>([&] { ts::token_file{empty.path()}; }).find("is empty"), std::string::npos);
}

}  // namespace
