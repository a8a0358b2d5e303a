// SPDX-License-Identifier: Apache-2.0
// host data of a container that is gone after the expression that made it keeps it, whoever holds the data then; of one
// that stays it refers to the elements.

#include <tessera/array/device_put_strided.hpp>
#include <tessera/data.hpp>
#include <tessera/tessera.hpp>

#include <gtest/gtest.h>

#include <array>
#include <span>

namespace {

namespace ts = tessera;
using floats = std::vector<float>;

// Its elements are overwritten when it is gone.
class watched {
public:
  watched(floats values, bool& gone) : values_(std::move(values)), gone_(&gone) { gone = false; }
  watched(watched&& other) noexcept : values_(std::move(other.values_)), gone_(std::exchange(other.gone_, nullptr)) {}
  ~watched() {
    if (!gone_) return;
    std::fill(values_.begin(), values_.end(), -1.0f);
    *gone_ = true;
  }
  float const* data() const { return values_.data(); }
  std::size_t size() const { return values_.size(); }

private:
  floats values_;
  bool* gone_;
};

template <class Make, class Read>
void expect_kept(Make const& make, Read const& read) {
  bool gone = false;
  {
    auto const data = make(watched({1, 2, 3, 4}, gone));
    EXPECT_FALSE(gone);
    auto const again = data;
    EXPECT_EQ(gone ? floats() : read(again), (floats{1, 2, 3, 4}));
  }
  EXPECT_TRUE(gone);
}
constexpr auto put = [](auto const& data) { return floats(ts::device_put(data).to_host()); };

TEST(host, keeps_a_container_of_its_own) {
  expect_kept([](watched&& w) { return ts::host<2, 2>(std::move(w)); }, put);
  expect_kept([](watched&& w) { return ts::host<ts::dynamic, 2>(std::move(w)); }, put);
  expect_kept([](watched&& w) { return ts::host(std::move(w), {2, 2}); }, put);
}
TEST(stepped, keeps_a_container_of_its_own) {
  expect_kept([](watched&& w) { return ts::stepped<2, 2>(std::move(w), {2, 1}); }, put);
  expect_kept([](watched&& w) { return ts::stepped(std::move(w), {2, 2}, {2, 1}); }, put);
  expect_kept([](watched&& w) { return ts::stepped(ts::host<4>(std::move(w))); }, put);
  expect_kept([](watched&& w) { return ts::stepped<4>(ts::host(std::move(w), {4})); }, put);
}
TEST(rows_of, keep_a_container_of_their_own) {
  expect_kept([](watched&& w) { return ts::rows_of(ts::host<2, 2>(std::move(w))); },
              [](ts::rows_of<float> const& rows) {
                floats read(4);
                for (int row : {0, 1})
                  rows.source().read(row, {{0, 2}}, reinterpret_cast<std::byte*>(read.data() + 2 * row));
                return read;
              });
}

TEST(host, refers_to_what_stays) {
  floats values{1, 2, 3, 4};
  float plain[]{1, 2, 3, 4};
  auto const of_vector = ts::host<2, 2>(values);
  auto const of_span = ts::host<4>(std::span(values));
  auto const of_array = ts::host<4>(plain);
  values[0] = plain[0] = 9;
  EXPECT_EQ(put(of_vector)[0], 9);
  EXPECT_EQ(put(of_span)[0], 9);
  EXPECT_EQ(put(of_array)[0], 9);
}
TEST(host, other_temporaries) {
  auto const of_array = ts::host<3>(std::array{1.f, 2.f, 3.f});
  EXPECT_EQ(put(of_array), (floats{1, 2, 3}));
  auto const of_values =
      ts::host<2>(std::as_const(of_array).kept ? ts::asarray({5.f, 6.f}).to_host() : ts::host_array<float>());
  EXPECT_EQ(put(of_values), (floats{5, 6}));
}

TEST(host, vectors_of_bool_are_copied) {
  std::vector<bool> flags{true, false, false, true};
  auto const kept = ts::host<2, 2>(flags);
  flags[0] = false;
  EXPECT_TRUE(ts::device_put(kept).at(0, 0).get().item());
  EXPECT_FALSE(ts::device_put(ts::host<ts::dynamic, 2>(std::vector<bool>{true, false})).at(0, 1).get().item());
  EXPECT_TRUE(ts::device_put(ts::host(flags, {4, 1})).at(3, 0).get().item());
  EXPECT_FALSE(ts::asarray(flags).at(0).get().item());
  EXPECT_FALSE(ts::device_put(flags).at(0).get().item());
}

TEST(host, lists_are_copied) {
  auto const of_list = ts::host<2, 2>({1.f, 2.f, 3.f, 4.f});
  EXPECT_EQ(put(of_list), (floats{1, 2, 3, 4}));
  EXPECT_EQ(ts::device_put(ts::host<3>({1, 2, 3})).at(2).get().item(), 3);
  EXPECT_THROW((void)ts::host<3>({1.f, 2.f}), std::invalid_argument);
}

}  // namespace
