// SPDX-License-Identifier: Apache-2.0
// What the runtime tells OpenMP as it starts.

#include <tessera/engine/exec/device/thread_binding.hpp>
#include <tessera/exec/device/runtime.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

namespace {

namespace ts = tessera;

std::optional<std::string> environment(char const* name) {
  char const* const text = std::getenv(name);
  return text ? std::optional<std::string>(text) : std::nullopt;
}

// These variables as given while it lives: nullptr for one that is not set.
class with_environment {
public:
  void set(char const* name, char const* value) {
    if (value)
      setenv(name, value, 1);
    else
      unsetenv(name);
  }
  explicit with_environment(std::initializer_list<std::pair<char const*, char const*>> values) {
    for (auto const& [name, value] : values) {
      former_.emplace_back(name, environment(name));
      set(name, value);
    }
  }
  ~with_environment() {
    for (auto const& [name, value] : former_) set(name, value ? value->c_str() : nullptr);
  }

private:
  std::vector<std::pair<char const*, std::optional<std::string>>> former_;
};

TEST(runtime, says_for_the_user_what_openmp_does_anyway) {
  with_environment const nothing{
      {"OMP_PROC_BIND", nullptr}, {"OMP_PLACES", nullptr}, {"GOMP_CPU_AFFINITY", nullptr}, {"KMP_AFFINITY", nullptr}};
  {
    ts::detail::unbound_threads const starting;
    EXPECT_EQ(environment("OMP_PROC_BIND"), "false");
  }
  EXPECT_EQ(environment("OMP_PROC_BIND"), std::nullopt) << "programs that this one starts";
}

TEST(runtime, leaves_what_the_user_says) {
  with_environment const nothing{
      {"OMP_PROC_BIND", nullptr}, {"OMP_PLACES", nullptr}, {"GOMP_CPU_AFFINITY", nullptr}, {"KMP_AFFINITY", nullptr}};
  {
    with_environment const bound{{"OMP_PROC_BIND", "spread"}};
    ts::detail::unbound_threads const starting;
    EXPECT_EQ(environment("OMP_PROC_BIND"), "spread");
  }
  for (char const* name : {"OMP_PLACES", "GOMP_CPU_AFFINITY", "KMP_AFFINITY"}) {
    with_environment const placed{{name, "0"}};
    ts::detail::unbound_threads const starting;
    EXPECT_EQ(environment("OMP_PROC_BIND"), std::nullopt) << name;
  }
}

}  // namespace
