// SPDX-License-Identifier: Apache-2.0
#pragma once
// The loop of one op on an accelerator: one thread per lane. The registers of a group that was not compiled are in
// device memory (engine/exec/fused/interpret_on_device.hpp).

#include <tessera/exec/device/device_launch.hpp>
#include <tessera/op/base/elementwise.hpp>

#if defined(TESSERA_ACCELERATOR)

namespace tessera::detail {

template <class Sequence, class F, class R, class... X>
struct lanes_kernel;
template <std::size_t... I, class F, class R, class... X>
struct lanes_kernel<std::index_sequence<I...>, F, R, X...> {
  R* out;
  void const* in[sizeof...(X)];
  TESSERA_FUNCTION void operator()(std::int64_t lane) const {
    out[lane] = F::eval(static_cast<X const*>(in[I])[lane]...);
  }
};

template <class F, class R, class... X>
void launch_lanes(R* out, void const* const* in, std::int64_t count) {
  lanes_kernel<std::index_sequence_for<X...>, F, R, X...> kernel{out, {}};
  for (std::size_t k = 0; k < sizeof...(X); ++k) kernel.in[k] = in[k];
  launch_elements("tessera lanes", count, kernel);
}

}  // namespace tessera::detail

#endif
