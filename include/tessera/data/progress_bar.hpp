// SPDX-License-Identifier: Apache-2.0
#pragma once
// A line on the terminal with a loop's progress, its speed and the remaining time; nothing if the output is a file or a
// pipe, and the line of one process if there are several.
//   progress_bar bar("epoch 3", batches.batches());
//   for (auto const& batch : batches.epoch()) { ...; bar.step(); }

#include <tessera/base/config.hpp>

#include <cstdint>
#include <string>

namespace tessera {

class progress_bar {
public:
  // `done`: steps of an earlier run; they do not count for the speed.
  progress_bar(std::string title, std::int64_t steps, std::int64_t done = 0);
  progress_bar(progress_bar const&) = delete;
  progress_bar& operator=(progress_bar const&) = delete;
  // Clears the line.
  ~progress_bar();

  void step(std::int64_t steps = 1);
  // epoch 3 [=============                   ] 12/28  41 steps/s, 0:00 left
  std::string text() const;

private:
  std::string title_;
  std::int64_t steps_, before_, done_;
  double began_, drawn_ = 0;  // seconds
  bool shown_;
};

namespace detail {
// `done` of `steps`, of which `timed` took `seconds`.
std::string progress_text(std::string const& title, std::int64_t done, std::int64_t steps, std::int64_t timed,
                          double seconds);
}  // namespace detail

}  // namespace tessera
