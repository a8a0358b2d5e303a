// SPDX-License-Identifier: Apache-2.0
#pragma once
// rows_of<T>: examples one after the other, each an array of T of the same extents, read one at a time, and only the
// needed part. Made from files (csv_file, npy_file, token_file), from data in memory, or by a function:
//   rows_of<float> a(host<1797, 64>(pixels))       borrowed: 1797 rows of 64; what was moved in is kept
//   rows_of<float> b(1000, {28, 28}, f)            f(row, part, out) writes part [start, stop) of that row at out, row-major
//   rows_of<float> c(source)                       a row_source of your own

#include <tessera/array/array.hpp>
#include <tessera/array/host.hpp>
#include <tessera/array/sharding_object.hpp>

#include <cstring>
#include <memory>
#include <string>

namespace tessera {

// The source of rows. A loader reads from a thread of its own, one row at a time.
class row_source {
public:
  virtual ~row_source() = default;
  virtual std::int64_t count() const = 0;
  virtual dtype element() const = 0;
  // Of one row.
  virtual extents_list extents() const = 0;
  // Part [start, stop) of each dimension of one row, row-major, to `out`. May throw.
  virtual void read(std::int64_t row, region const& part, std::byte* out) const = 0;
};

namespace detail {
constexpr std::int64_t size_of(region const& part) {
  std::int64_t size = 1;
  for (index_range const& range : part) size *= range.size();
  return size;
}
// Part [start, stop) of each dimension of elements at these distances, in bytes, row-major to `out`.
void copy_part(std::byte* out, std::byte const* from, region const& part, extents_list const& steps, int bytes);
// Distances in bytes, row-major or with the first index fastest.
extents_list steps_of(extents_list const& extents, int bytes, bool first_fastest = false);
// Row-major data in memory whose first dimension counts rows.
std::shared_ptr<row_source const> rows_in_memory(dtype element, extents_list const& extents, void const* data,
                                                 std::shared_ptr<void const> keeper);

template <class T, class F>
class rows_made final : public row_source {
public:
  rows_made(std::int64_t count, extents_list const& extents, F f)
      : count_(count), extents_(extents), f_(std::move(f)) {}
  std::int64_t count() const override { return count_; }
  dtype element() const override { return dtype_of<T>(); }
  extents_list extents() const override { return extents_; }
  void read(std::int64_t row, region const& part, std::byte* out) const override {
    f_(row, part, reinterpret_cast<host_element_of<T>*>(out));
  }

private:
  std::int64_t count_;
  extents_list extents_;
  F f_;
};
}  // namespace detail

template <class T>
class rows_of {
public:
  using element = T;
  explicit rows_of(std::shared_ptr<row_source const> source) : source_(std::move(source)) {}
  // Borrowed or owned, as host data is; its first dimension counts the rows.
  template <class Shape>
  explicit rows_of(host_view<T, Shape> const& data)
      : source_(detail::rows_in_memory(dtype_of<T>(), data.extents, data.data, data.kept)) {}
  template <class F>
  rows_of(std::int64_t count, extents_list const& extents, F f)
      : source_(std::make_shared<detail::rows_made<T, F>>(count, extents, std::move(f))) {}

  std::int64_t count() const { return source_->count(); }
  extents_list extents() const { return source_->extents(); }
  row_source const& source() const { return *source_; }
  std::shared_ptr<row_source const> const& shared() const { return source_; }

private:
  std::shared_ptr<row_source const> source_;
};
template <class T, class Shape>
rows_of(host_view<T, Shape>) -> rows_of<T>;

}  // namespace tessera
