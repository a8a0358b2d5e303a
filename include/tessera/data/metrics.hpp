// SPDX-License-Identifier: Apache-2.0
#pragma once
// Measurements of a run, as a CSV file: a line for each step, in the file when add() returns. Process 0 writes it.
//   metrics log("run.csv", {"loss", "rate"});
//   log.add(step, {loss.item(), rate});
// A run that continues from a checkpoint keeps the lines of the steps before: metrics log("run.csv", {"loss", "rate"},
// step).

#include <tessera/data/mapped_file.hpp>

#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

namespace tessera {

class metrics {
public:
  // A new file; with a step, the existing file without its lines of that step and later ones. Throws file_error if it
  // cannot be written, has other columns, or if another metrics, of this program or another one, has it open.
  metrics(std::string const& path, std::vector<std::string> const& names, std::int64_t from = 0);

  // As many values as names. Throws std::invalid_argument for another number, file_error if the disk is full.
  void add(std::int64_t step, std::initializer_list<double> values);
  std::string const& path() const { return path_; }

private:
  struct output;
  std::string path_;
  std::size_t columns_;
  std::shared_ptr<output> output_;  // null: another process writes
};

}  // namespace tessera
