// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reads the header of a .npy file, and checks every byte of it.

#include <tessera/data/mapped_file.hpp>
#include <tessera/data/npy_order.hpp>
#include <tessera/engine/data/npy_header.hpp>

#include <algorithm>
#include <string>
#include <string_view>

namespace tessera::detail {

// Reads the dict from left to right; errors name byte `at_`.
class npy_header_reader {
public:
  // `file`: the first bytes of the file, which has `size` bytes.
  npy_header_reader(std::string_view path, std::string_view file, std::size_t size)
      : path_(path), file_(file), size_(size) {}

  npy_header read() {
    constexpr std::string_view magic = "\x93NUMPY";
    if (file_.size() < 10 || file_.substr(0, 6) != magic)
      refuse(0, "this is not a .npy file", "a file that numpy.save has written");
    int const major = byte(6);
    if (major < 1 || major > 3)
      refuse(6, "format version " + std::to_string(major) + " is not known", "numpy.save with version 1.0 to 3.0");
    std::size_t const prefix = major == 1 ? 10 : 12;
    std::size_t const length = file_.size() < prefix ? 0 : major == 1 ? little(8, 2) : little(8, 4);
    if (file_.size() < prefix || length > size_ - prefix)
      refuse(8, "the header is said to be longer than the file", whole_file);
    if (length > file_.size() - prefix)
      refuse(8, "the header has more than 128 KiB", "a file that numpy.save has written");
    at_ = prefix;
    end_ = prefix + length;
    dict();
    found_.values = static_cast<std::int64_t>(end_);
    require_size();
    return found_;
  }

private:
  static constexpr std::string_view whole_file = "the whole file: it may have been cut off when it was copied";

  [[noreturn]] void refuse(std::size_t at, std::string_view what, std::string_view fix) const {
    bad_file(path_, static_cast<std::int64_t>(at), what, fix);
  }
  [[noreturn]] void expected(std::string_view what) const {
    refuse(at_,
           "the header has '" + shown(file_.substr(at_, end_ - at_)) + "' where " + std::string(what) + " should be",
           "a file that numpy.save has written");
  }
  int byte(std::size_t at) const { return static_cast<unsigned char>(file_[at]); }
  std::size_t little(std::size_t at, int bytes) const {
    std::size_t value = 0;
    for (int i = bytes - 1; i >= 0; --i) value = value << 8 | static_cast<std::size_t>(byte(at + i));
    return value;
  }

  void blanks() {
    while (at_ < end_ && (file_[at_] == ' ' || file_[at_] == '\n' || file_[at_] == '\t')) ++at_;
  }
  // Takes the text if it comes next.
  bool takes(std::string_view text) {
    blanks();
    if (file_.substr(at_, std::min(text.size(), end_ - at_)) != text) return false;
    at_ += text.size();
    return true;
  }
  void take(std::string_view text) {
    if (!takes(text)) expected("'" + std::string(text) + "'");
  }
  std::string_view quoted() {
    blanks();
    char const quote = at_ < end_ ? file_[at_] : ' ';
    if (quote != '\'' && quote != '"') expected("a quoted word");
    std::size_t const close = file_.substr(0, end_).find(quote, at_ + 1);
    if (close == std::string_view::npos) expected("a quoted word");
    std::string_view const word = file_.substr(at_ + 1, close - at_ - 1);
    at_ = close + 1;
    return word;
  }

  void dict() {
    bool has_descr = false, has_order = false, has_shape = false;
    take("{");
    while (!takes("}")) {
      blanks();
      std::size_t const key_at = at_;
      std::string_view const key = quoted();
      take(":");
      bool* const has = key == "descr"           ? &has_descr
                        : key == "fortran_order" ? &has_order
                        : key == "shape"         ? &has_shape
                                                 : nullptr;
      if (!has || *has)
        refuse(key_at, "the header has the entry '" + shown(key) + (has ? "' twice" : "', which no .npy file has"),
               "descr, fortran_order and shape, once each");
      *has = true;
      if (has == &has_descr)
        descr();
      else if (has == &has_order)
        order();
      else
        shape();
      if (!takes(",")) {
        take("}");
        break;
      }
    }
    blanks();
    if (at_ != end_) expected("its end");
    if (!has_descr || !has_order || !has_shape)
      refuse(at_,
             std::string("the header has no ") + (!has_descr   ? "descr"
                                                  : !has_order ? "fortran_order"
                                                               : "shape"),
             "descr, fortran_order and shape, once each");
  }
  void descr() {
    blanks();
    std::size_t const start = at_;
    if (at_ < end_ && file_[at_] == '[')
      refuse(start, "the array has fields of several dtypes", "save each field as an array of its own");
    std::string_view const word = quoted();
    char const byte_order = word.empty() ? ' ' : word[0];
    for (npy_name const& known : npy_names)
      if (word.size() > 1 && word.substr(1) == known.code) {
        if (byte_order == '>' && bytes_of(known.element) > 1)
          refuse(start, "the values have the bytes of '" + shown(word) + "', the highest first",
                 "x.astype(x.dtype.newbyteorder('<')) before numpy.save");
        if (byte_order == '<' || byte_order == '|' || byte_order == '=' || byte_order == '>') {
          found_.element = known.element;
          return;
        }
      }
    refuse(start, "dtype '" + shown(word) + "' is none of ours",
           "bool, int8 to int64, uint8 to uint64, float16, bfloat16, float32, float64, complex64 or complex128");
  }
  void order() {
    if (takes("True"))
      found_.order = npy_order::fortran;
    else if (!takes("False"))
      expected("True or False");
  }
  void shape() {
    take("(");
    while (!takes(")")) {
      blanks();
      if (found_.extents.size() == max_rank)
        refuse(at_, "the array has more than 8 dimensions", "x.reshape(...) to 8 at most before numpy.save");
      std::int64_t extent = 0;
      std::size_t const start = at_;
      for (; at_ < end_ && file_[at_] >= '0' && file_[at_] <= '9'; ++at_) {
        if (extent > (std::int64_t{1} << 58)) refuse(start, "this extent is larger than any file", whole_file);
        extent = 10 * extent + (file_[at_] - '0');
      }
      if (at_ == start) expected("an extent");
      found_.extents.push_back(extent);
      if (!takes(",")) {
        take(")");
        break;
      }
    }
  }
  void require_size() const {
    auto const have = static_cast<std::int64_t>(size_) - found_.values;
    std::int64_t left = have / bytes_of(found_.element);
    bool empty = false, fits = true;
    for (std::int64_t extent : found_.extents) empty = empty || extent == 0;
    std::int64_t need = empty ? 0 : 1;
    for (std::int64_t extent : found_.extents) {
      if (empty) break;
      fits = fits && extent <= left / need;  // need * extent does not overflow
      if (!fits) break;
      need *= extent;
    }
    if (empty) {  // with an extent of 0 there are no values, so the other extents are bounded here
      std::int64_t product = 1;
      for (std::int64_t extent : found_.extents) {
        fits = fits && extent <= (std::int64_t{1} << 58) / product;
        if (!fits) refuse(0, "this shape is larger than any file", whole_file);
        product *= extent > 0 ? extent : 1;
      }
    }
    need *= bytes_of(found_.element);
    if (!fits || need > have)
      refuse(size_, "the file ends: its header promises more values than there are bytes", whole_file);
    if (need < have)
      refuse(found_.values + need, std::to_string(have - need) + " bytes follow the last value", "one array a file");
  }

  std::string_view path_, file_;
  std::size_t size_;
  std::size_t at_ = 0, end_ = 0;
  npy_header found_{};
};

}  // namespace tessera::detail
