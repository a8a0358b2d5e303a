// SPDX-License-Identifier: Apache-2.0
#pragma once
// Draws a progress bar.

#include <tessera/data/progress_bar.hpp>
#include <tessera/exec/device/runtime.hpp>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace tessera {
namespace detail {

inline double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// The time as text: 0:07, 12:00, 3:04:05.
inline std::string time_text(double seconds) {
  auto const all = static_cast<long long>(std::clamp(seconds + 0.5, 0.0, 1e15));
  char text[48];
  if (all < 3600)
    std::snprintf(text, sizeof text, "%lld:%02lld", all / 60, all % 60);
  else
    std::snprintf(text, sizeof text, "%lld:%02lld:%02lld", all / 3600, all / 60 % 60, all % 60);
  return text;
}

TESSERA_ENGINE std::string progress_text(std::string const& title, std::int64_t done, std::int64_t steps,
                                         std::int64_t timed, double seconds) {
  constexpr std::int64_t width = 32;
  std::int64_t const filled =
      steps > 0 ? static_cast<std::int64_t>(static_cast<double>(std::clamp<std::int64_t>(done, 0, steps)) /
                                            static_cast<double>(steps) * width)
                : width;
  std::string text = title;
  text += " [";
  text += std::string(filled, '=');
  text += std::string(width - filled, ' ');
  text += "] ";
  text += std::to_string(done);
  text += '/';
  text += std::to_string(steps);
  if (timed <= 0 || seconds <= 0) return text;
  double const each = seconds / static_cast<double>(timed);
  char speed[64];
  std::snprintf(speed, sizeof speed, each < 1 ? "  %.3g steps/s, " : "  %.3g s/step, ", each < 1 ? 1 / each : each);
  text += speed;
  text += time_text(each * static_cast<double>(std::max<std::int64_t>(steps - done, 0)));
  text += " left";
  return text;
}

}  // namespace detail

TESSERA_ENGINE progress_bar::progress_bar(std::string title, std::int64_t steps, std::int64_t done)
    : title_(std::move(title)),
      steps_(steps),
      before_(done),
      done_(done),
      began_(detail::seconds_now()),
      shown_(isatty(1) && process_index() == 0) {}
TESSERA_ENGINE progress_bar::~progress_bar() {
  if (!shown_) return;
  std::printf("\r\x1b[2K");
  std::fflush(stdout);
}
TESSERA_ENGINE void progress_bar::step(std::int64_t steps) {
  done_ += steps;
  if (!shown_) return;
  double const now = detail::seconds_now();
  if (now - drawn_ < 0.05 && done_ < steps_) return;
  drawn_ = now;
  std::printf("\r%s\x1b[K", text().c_str());
  std::fflush(stdout);
}
TESSERA_ENGINE std::string progress_bar::text() const {
  return detail::progress_text(title_, done_, steps_, done_ - before_, detail::seconds_now() - began_);
}

}  // namespace tessera
