// SPDX-License-Identifier: Apache-2.0
#pragma once
// A device is a slot in a mesh: a number, a platform, and the process that it belongs to. On a CPU that process
// simulates it.
// Source: JAX jax.Device; prints as JAX does: CpuDevice(id=0).

#include <tessera/base/config.hpp>

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

struct device {
  int id = 0;
  std::string_view platform = "cpu";  // or "gpu", as local_devices() says
  int process_index = 0;              // the process that it belongs to

  constexpr bool operator==(device const&) const = default;
};

std::string to_string(device const& d);
std::ostream& operator<<(std::ostream& out, device const& d);
// [CpuDevice(id=0), CpuDevice(id=1)]
std::ostream& operator<<(std::ostream& out, std::vector<device> const& devices);

namespace detail {
// The devices of the program that this thread runs, in mesh order; null outside of a program.
inline std::vector<device> const*& running_on() {
  static thread_local std::vector<device> const* devices = nullptr;
  return devices;
}
class runs_on {
public:
  explicit runs_on(std::vector<device> const& devices) : former_(running_on()) { running_on() = &devices; }
  ~runs_on() { running_on() = former_; }
  runs_on(runs_on const&) = delete;
  runs_on& operator=(runs_on const&) = delete;

private:
  std::vector<device> const* former_;
};
}  // namespace detail

}  // namespace tessera
