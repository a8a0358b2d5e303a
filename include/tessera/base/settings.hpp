// SPDX-License-Identifier: Apache-2.0
#pragma once
// Everything that the environment says to a program, read and checked here and nowhere else. docs/settings.md is this list.

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tessera::detail {

struct setting {
  char const* name;
  char const* allowed;
  char const* otherwise;  // what holds where it is not set, or empty
  char const* meaning;
};

namespace settings {
inline constexpr setting debug_infs{"TESSERA_DEBUG_INFS", "0 or 1", "0",
                                    "a program whose results have an infinity names the operation that made it"};
inline constexpr setting debug_nans{"TESSERA_DEBUG_NANS", "0 or 1", "0",
                                    "a program whose results have a NaN names the operation that made it"};
inline constexpr setting deadline{"TESSERA_DEADLINE", "seconds: a number above 0, at most 1000000000", "300",
                                  "how long a process waits for the others of its run"};
inline constexpr setting devices{"TESSERA_DEVICES", "a whole number from 1 to 1048576",
                                 "8, or the next multiple of the processes",
                                 "the devices of the whole run, those of all processes together"};
inline constexpr setting gather_to_host{"TESSERA_GATHER_TO_HOST", "0 or 1", "0",
                                        "to_host() brings together what lies in several processes"};
inline constexpr setting level{"TESSERA_LEVEL", "x86-64-v2, x86-64-v3 or x86-64-v4", "x86-64-v4",
                               "the highest level of instructions that may run"};
inline constexpr setting log_plans{
    "TESSERA_LOG_PLANS", "0 or 1", "0",
    "each plan that is made while the program runs is told to std::clog, with its reason"};
inline constexpr setting matmul_precision{
    "TESSERA_MATMUL_PRECISION", "tensorfloat32 or highest", "highest",
    "how NVIDIA GPUs multiply float32: with 10 bits of each factor and several times faster, or with all"};
inline constexpr setting overlap{"TESSERA_OVERLAP", "none, steps or full", "full",
                                 "when messages go on: not beside steps, between steps, between their tiles too"};
inline constexpr setting reproducible{"TESSERA_REPRODUCIBLE", "0 or 1", "0",
                                      "sums over devices are the same, bit for bit, for any number of processes"};
inline constexpr setting trace{"TESSERA_TRACE", "the name of a file", "none",
                               "where the timeline of the run is written"};
inline constexpr setting trace_events{"TESSERA_TRACE_EVENTS", "a whole number from 1 to 1073741824", "1048576",
                                      "how many events of its timeline a process keeps: the last ones"};
}  // namespace settings

// For a wrong value: throws an error, or uses the default where nothing could catch the error and a runtime reports it.
enum class if_wrong : std::uint8_t { throws, ignores };

// Null: not set, or empty.
inline char const* text_of(setting const& of) {
  char const* const text = std::getenv(of.name);
  return text && *text ? text : nullptr;
}

[[noreturn]] inline void refuse_setting(setting const& of, char const* text) {
  throw std::invalid_argument(std::string("tessera: ") + of.name + " is '" + text + "'. Fix: " + of.allowed +
                              "; where it is not set: " + of.otherwise + ".");
}

inline std::int64_t whole_number(setting const& of, std::int64_t low, std::int64_t high, std::int64_t otherwise,
                                 if_wrong then = if_wrong::throws) {
  char const* const text = text_of(of);
  if (!text) return otherwise;
  char* end = nullptr;
  errno = 0;
  long long const number = std::strtoll(text, &end, 10);
  bool const digits = std::strspn(text, "0123456789") == std::strlen(text);
  if (digits && errno == 0 && number >= low && number <= high) return number;
  if (then == if_wrong::throws) refuse_setting(of, text);
  return otherwise;
}
inline double real_number(setting const& of, double high, double otherwise) {
  char const* const text = text_of(of);
  if (!text) return otherwise;
  char* end = nullptr;
  double const number = std::strtod(text, &end);
  if (std::strspn(text, "0123456789.eE+-") != std::strlen(text) || *end || !(number > 0) || !(number <= high))
    refuse_setting(of, text);
  return number;
}
// Which of these words; the last where it is not set.
inline int word(setting const& of, std::initializer_list<std::string_view> words, if_wrong then = if_wrong::throws) {
  int const last = static_cast<int>(words.size()) - 1;
  char const* const text = text_of(of);
  if (!text) return last;
  int k = 0;
  for (auto const one : words) {
    if (one == text) return k;
    ++k;
  }
  if (then == if_wrong::throws) refuse_setting(of, text);
  return last;
}

inline bool debug_infs_setting(if_wrong then) { return word(settings::debug_infs, {"1", "0"}, then) == 0; }
inline bool debug_nans_setting(if_wrong then) { return word(settings::debug_nans, {"1", "0"}, then) == 0; }
inline double deadline_setting() { return real_number(settings::deadline, 1e9, 300); }
inline constexpr int most_devices = 1 << 20;
inline int devices_setting(int otherwise) {
  return static_cast<int>(whole_number(settings::devices, 1, most_devices, otherwise));
}
inline bool gather_to_host_setting() { return word(settings::gather_to_host, {"1", "0"}) == 0; }
inline int level_setting() { return word(settings::level, {"x86-64-v2", "x86-64-v3", "x86-64-v4"}); }
inline bool log_plans_setting(if_wrong then) { return word(settings::log_plans, {"1", "0"}, then) == 0; }
inline bool matmul_precision_setting(if_wrong then) {  // whether in TF32
  return word(settings::matmul_precision, {"tensorfloat32", "highest"}, then) == 0;
}
inline int overlap_setting(if_wrong then) { return word(settings::overlap, {"none", "steps", "full"}, then); }
inline bool reproducible_setting() { return word(settings::reproducible, {"1", "0"}) == 0; }
inline char const* trace_setting() { return text_of(settings::trace); }
inline std::int64_t trace_events_setting(if_wrong then) {
  return whole_number(settings::trace_events, 1, std::int64_t{1} << 30, 1 << 20, then);
}

// Throws std::invalid_argument for the first that is wrong. What a runtime begins with.
inline void check_settings() {
  (void)debug_infs_setting(if_wrong::throws);
  (void)debug_nans_setting(if_wrong::throws);
  (void)deadline_setting();
  (void)devices_setting(1);
  (void)gather_to_host_setting();
  (void)level_setting();
  (void)log_plans_setting(if_wrong::throws);
  (void)matmul_precision_setting(if_wrong::throws);
  (void)overlap_setting(if_wrong::throws);
  (void)reproducible_setting();
  (void)trace_events_setting(if_wrong::throws);
}

}  // namespace tessera::detail
