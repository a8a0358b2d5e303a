// SPDX-License-Identifier: Apache-2.0
#pragma once
// Raw token files: uint16 or uint32 numbers, one after the other, nothing else. Rows are runs of tokens, and the same
// runs one token later, which a language model learns to predict:
//   token_file text("train.bin", dtype::uint16);
//   auto tokens = text.sequences({.length = 1024, .vocabulary = 50257});
//   auto next = text.next_tokens({.length = 1024, .vocabulary = 50257});

#include <tessera/data/mapped_file.hpp>
#include <tessera/data/rows_of.hpp>

namespace tessera {

struct token_runs {
  std::int64_t length = 0;      // tokens of a run
  std::int64_t apart = 0;       // from one run's first token to the next run's; 0: the length
  std::int64_t vocabulary = 0;  // tokens are below this; 0: any
};

class token_file {
public:
  // Throws file_error if the file is empty or not a whole number of tokens. Numbers are little-endian.
  explicit token_file(std::string const& path, dtype stored = dtype::uint16) : token_file(mapped_file(path), stored) {}
  explicit token_file(mapped_file const& file, dtype stored = dtype::uint16);

  std::int64_t count() const { return file_.size() / bytes_of(stored_); }
  // As many runs as have a next token each. A token that is not below the vocabulary throws file_error when it is read.
  template <class T = std::int32_t>
  rows_of<T> sequences(token_runs const& runs) const {
    return rows_of<T>(rows(runs, 0, dtype_of<T>()));
  }
  template <class T = std::int32_t>
  rows_of<T> next_tokens(token_runs const& runs) const {
    return rows_of<T>(rows(runs, 1, dtype_of<T>()));
  }

private:
  std::shared_ptr<row_source const> rows(token_runs const& runs, std::int64_t shift, dtype wanted) const;

  mapped_file file_;
  dtype stored_;
};

}  // namespace tessera
