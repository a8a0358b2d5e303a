// SPDX-License-Identifier: Apache-2.0
#pragma once
// CUDA wrappers for an NCCL channel: owners of streams, events and memory, and folds of blocks.

#include <tessera/graph/monoid.hpp>

#include <cuda_runtime.h>
#include <nccl.h>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace tessera::detail {

inline void cuda_check(cudaError_t code) {
  if (code != cudaSuccess) throw std::runtime_error(cudaGetErrorString(code));
}

class cuda_event {
public:
  cuda_event() { cuda_check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming)); }
  ~cuda_event() { cudaEventDestroy(event_); }
  cuda_event(cuda_event const&) = delete;
  cuda_event& operator=(cuda_event const&) = delete;
  cudaEvent_t get() const { return event_; }

private:
  cudaEvent_t event_ = nullptr;
};

class cuda_stream {
public:
  cuda_stream() { cuda_check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  ~cuda_stream() { cudaStreamDestroy(stream_); }
  cuda_stream(cuda_stream const&) = delete;
  cuda_stream& operator=(cuda_stream const&) = delete;
  cudaStream_t get() const { return stream_; }

private:
  cudaStream_t stream_ = nullptr;
};

// Device memory that grows and does not shrink.
class cuda_room {
public:
  cuda_room() = default;
  ~cuda_room() { cudaFree(memory_); }
  cuda_room(cuda_room const&) = delete;
  cuda_room& operator=(cuda_room const&) = delete;
  std::byte* of(std::int64_t bytes) {
    if (bytes > bytes_) {
      cudaFree(memory_);
      memory_ = nullptr;
      bytes_ = 0;
      cuda_check(cudaMalloc(&memory_, bytes));
      bytes_ = bytes;
    }
    return static_cast<std::byte*>(memory_);
  }

private:
  void* memory_ = nullptr;
  std::int64_t bytes_ = 0;
};

// out[i] = ((block 0 . block 1) . ...)[i]; the blocks of `count` elements are adjacent.
template <class T, monoid M>
__global__ void fold_blocks(T* out, T const* blocks, int ranks, std::int64_t count) {
  std::int64_t const step = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) {
    auto sum = static_cast<register_of<T>>(blocks[i]);
    for (int rank = 1; rank < ranks; ++rank)
      sum = settled<T>(combine<M>(sum, static_cast<register_of<T>>(blocks[rank * count + i])));
    out[i] = static_cast<T>(sum);
  }
}

template <class T, monoid M>
void launch_fold(std::byte* out, std::byte const* blocks, int ranks, std::int64_t count, cudaStream_t stream) {
  if (count == 0) return;
  constexpr int threads = 256;
  auto const grid = static_cast<unsigned>(std::min<std::int64_t>((count + threads - 1) / threads, 4096));
  fold_blocks<T, M>
      <<<grid, threads, 0, stream>>>(reinterpret_cast<T*>(out), reinterpret_cast<T const*>(blocks), ranks, count);
  cuda_check(cudaGetLastError());
}

using device_fold = void (*)(std::byte*, std::byte const*, int, std::int64_t, cudaStream_t);

template <class T>
struct device_fold_of {
  template <monoid M>
  device_fold operator()(monoid_constant<M>) const {
    return &launch_fold<T, M>;
  }
};
struct any_device_fold {
  monoid combine;
  template <class T>
  device_fold operator()(std::type_identity<T>) const {
    return with_monoid<T>(combine, device_fold_of<T>{});
  }
};

}  // namespace tessera::detail
