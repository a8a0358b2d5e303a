// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reads .npy files.

#include <tessera/data/npy.hpp>
#include <tessera/engine/data/npy_header_reader.hpp>

#include <algorithm>
#include <string>

namespace tessera {

TESSERA_ENGINE npy_file::npy_file(mapped_file const& file) : file_(file) {
  std::string begin(std::min(file_.size(), std::int64_t{1} << 17), '\0');
  file_.read(0, begin.size(), begin.data());
  auto const header = detail::npy_header_reader(path(), begin, file_.size()).read();
  element_ = header.element;
  extents_ = header.extents;
  order_ = header.order;
  values_ = header.values;
  steps_ = detail::steps_of(extents_, bytes_of(element_), order_ == npy_order::fortran);
}

TESSERA_ENGINE void npy_file::require_element(dtype wanted) const {
  if (wanted == element_) return;
  std::string what = "the values are ";
  what += name_of(element_);
  what += ", and ";
  what += name_of(wanted);
  what += " is asked for";
  std::string fix = "ask for ";
  fix += name_of(element_);
  fix += ", or save x.astype('";
  fix += name_of(wanted);
  fix += "')";
  detail::bad_file(path(), 0, what, fix);
}

TESSERA_ENGINE void npy_file::require_extents(extents_list const& wanted) const {
  bool fits = wanted.size() == extents_.size();
  for (int d = 0; fits && d < wanted.size(); ++d) fits = wanted[d] == dynamic || wanted[d] == extents_[d];
  if (fits) return;
  auto const text = [](extents_list const& extents) {
    std::string list = "(";
    for (int d = 0; d < extents.size(); ++d) {
      if (d) list += ", ";
      list += extents[d] == dynamic ? std::string("?") : std::to_string(extents[d]);
    }
    return list + ")";
  };
  detail::bad_file(path(), 0, "the array's shape is " + text(extents_) + ", and " + text(wanted) + " is asked for",
                   "ask for the file's shape, or save x.reshape(...)");
}

TESSERA_ENGINE void npy_file::read(region const& part, std::int64_t from, extents_list const& steps,
                                   std::byte* out) const {
  int const bytes = bytes_of(element_);
  // The first byte of the part, and the number of its bytes that are contiguous in the file.
  std::int64_t begin = from, together = bytes;
  for (int d = 0; d < part.size(); ++d) begin += part[d].start * steps[d];
  for (int d = part.size(); d-- > 0 && (part[d].size() == 1 || steps[d] == together);) together *= part[d].size();
  if (together == detail::size_of(part) * bytes) {
    file_.read(begin, together, out);
  } else {
    file_.require_whole();
    detail::copy_part(out, file_.data() + from, part, steps, bytes);
  }
  if (element_ != dtype::boolean) return;
  std::int64_t const size = detail::size_of(part);
  for (std::int64_t i = 0; i < size; ++i) out[i] = out[i] == std::byte{0} ? std::byte{0} : std::byte{1};
}
TESSERA_ENGINE void npy_file::read(region const& part, std::byte* out) const { read(part, values_, steps_, out); }

namespace detail {
class npy_rows final : public row_source {
public:
  explicit npy_rows(npy_file const& file) : file_(file) {
    for (int d = 1; d < file.extents().size(); ++d) {
      extents_.push_back(file.extents()[d]);
      steps_.push_back(file.steps_[d]);
    }
  }
  std::int64_t count() const override { return file_.extents()[0]; }
  dtype element() const override { return file_.element(); }
  extents_list extents() const override { return extents_; }
  void read(std::int64_t row, region const& part, std::byte* out) const override {
    file_.read(part, file_.values_ + row * file_.steps_[0], steps_, out);
  }

private:
  npy_file file_;
  extents_list extents_{}, steps_{};
};
}  // namespace detail

TESSERA_ENGINE std::shared_ptr<row_source const> npy_file::shared_rows() const {
  if (extents_.size() == 0)
    detail::bad_file(path(), 0, "the array has no dimensions, so no rows", "save an array of rows");
  return std::make_shared<detail::npy_rows>(*this);
}

namespace detail {

TESSERA_ENGINE stored_array load_npy_blocks(std::string const& path, dtype element, extents_list const& extents,
                                            spec_value const& spec, concrete_mesh const& mesh) {
  npy_file const file(path);
  file.require_element(element);
  file.require_extents(extents);
  auto const fill = [&](region const& part, std::byte* out) { file.read(part, out); };
  return store_blocks(element, file.extents(), spec, mesh, filler_of(fill));
}

}  // namespace detail
}  // namespace tessera
