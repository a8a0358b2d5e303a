// SPDX-License-Identifier: Apache-2.0
// A kernel that captures two Views. cuda_compiles.py compares the bytes of its arguments in the device's code with those of
// `in_host_code`: where g++ and nvcc lay Views out differently, such kernels do nothing, without an error.

#include <tessera/kokkos.hpp>

using flat = Kokkos::View<float*, Kokkos::LayoutRight, Kokkos::CudaSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

__global__ void one_word(int) {}  // begins where all arguments do

template <class X, class Y>
struct twice {
  void operator()(X x, Y y) const {
    auto const kernel = KOKKOS_LAMBDA(int i) { y(i) = 2 * x(i); };
    using policy = Kokkos::RangePolicy<Kokkos::Cuda>;
    static char in_host_code[sizeof(Kokkos::Impl::ParallelFor<std::remove_const_t<decltype(kernel)>, policy>)];
    in_host_code[0] = 1;
    Kokkos::parallel_for("twice", policy(0, in_host_code[0]), kernel);
  }
};
void run(flat x, flat y) {
  twice<flat, flat>{}(x, y);
  one_word<<<1, 1>>>(1);
}
