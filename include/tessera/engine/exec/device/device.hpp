// SPDX-License-Identifier: Apache-2.0
#pragma once
// The text of devices.

#include <tessera/exec/device/device.hpp>

#include <ostream>

namespace tessera {

TESSERA_ENGINE std::string to_string(device const& d) {
  std::string text = d.platform == "cpu" ? "CpuDevice" : d.platform == "gpu" ? "CudaDevice" : std::string(d.platform);
  return text + "(id=" + std::to_string(d.id) + ")";
}
TESSERA_ENGINE std::ostream& operator<<(std::ostream& out, device const& d) { return out << to_string(d); }
TESSERA_ENGINE std::ostream& operator<<(std::ostream& out, std::vector<device> const& devices) {
  out << '[';
  for (std::size_t i = 0; i < devices.size(); ++i) out << (i ? ", " : "") << devices[i];
  return out << ']';
}

}  // namespace tessera
