// SPDX-License-Identifier: Apache-2.0
#pragma once
// A progress bar on a terminal; nothing where the output is a file or a pipe.

#include <unistd.h>
#include <cstdio>
#include <string>

namespace digits {

class progress_bar {
public:
  progress_bar(std::string title, std::size_t steps) : title_(std::move(title)), steps_(steps), shown_(isatty(1)) {}
  void step() {
    ++done_;
    if (!shown_) return;
    std::size_t const width = 32, filled = done_ * width / steps_;
    std::printf("\r%s [%s%s] %zu/%zu", title_.c_str(), std::string(filled, '=').c_str(),
                std::string(width - filled, ' ').c_str(), done_, steps_);
    std::fflush(stdout);
  }
  ~progress_bar() {
    if (shown_) std::printf("\r\x1b[2K");
  }

private:
  std::string title_;
  std::size_t steps_, done_ = 0;
  bool shown_;
};

}  // namespace digits
