// SPDX-License-Identifier: Apache-2.0
#pragma once
// A message as NCCL calls in a stream of the channel.

#include <tessera/comm/channel/message_kind.hpp>
#include <tessera/comm/nccl/cuda.hpp>

#include <optional>

namespace tessera::detail {

// A nonblocking communicator: a missing rank does not block the hosts of the others.
class nccl_comm {
public:
  nccl_comm(ncclUniqueId id, int rank, int ranks) {
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0;
    check(ncclCommInitRankConfig(&comm_, ranks, id, rank, &config));
  }
  ~nccl_comm() { ncclCommAbort(comm_); }
  nccl_comm(nccl_comm const&) = delete;
  nccl_comm& operator=(nccl_comm const&) = delete;

  ncclComm_t get() const { return comm_; }
  // Messages are passed to NCCL in the order in which they were started, each after NCCL has enqueued the one before.
  std::int64_t tickets = 0, given = 0;
  // Whether NCCL has enqueued the last call.
  bool ready() const {
    ncclResult_t state = ncclSuccess;
    ncclResult_t const code = ncclCommGetAsyncError(comm_, &state);
    check(code == ncclSuccess ? state : code);
    return state != ncclInProgress;
  }
  void check(ncclResult_t code) const {
    if (code == ncclSuccess || code == ncclInProgress) return;
    std::string text = ncclGetErrorString(code);
    char const* const more = comm_ == nullptr ? nullptr : ncclGetLastError(comm_);
    if (more != nullptr && *more != 0) {
      text += ": ";
      text += more;
    }
    throw std::runtime_error(text);
  }

private:
  ncclComm_t comm_ = nullptr;
};

struct nccl_element {
  ncclDataType_t type;
  int count;  // how many of them are one element of ours
};

// NCCL's element type for a reduction. None for 16-bit integers and products of complex numbers, which NCCL lacks, and
// for max and min of floats, whose NaN results differ.
inline std::optional<nccl_element> nccl_element_of(dtype element, monoid combine) {
  bool const compares = combine != monoid::sum && combine != monoid::product;
  if (is_floating(element) && compares) return std::nullopt;
  if (is_complex(element) && combine != monoid::sum) return std::nullopt;
  switch (element) {
    case dtype::int8: return nccl_element{ncclInt8, 1};
    case dtype::boolean:
    case dtype::uint8: return nccl_element{ncclUint8, 1};
    case dtype::int32: return nccl_element{ncclInt32, 1};
    case dtype::uint32: return nccl_element{ncclUint32, 1};
    case dtype::int64: return nccl_element{ncclInt64, 1};
    case dtype::uint64: return nccl_element{ncclUint64, 1};
    case dtype::float16: return nccl_element{ncclFloat16, 1};
    case dtype::bfloat16: return nccl_element{ncclBfloat16, 1};
    case dtype::float32: return nccl_element{ncclFloat32, 1};
    case dtype::float64: return nccl_element{ncclFloat64, 1};
    case dtype::complex64: return nccl_element{ncclFloat32, 2};
    case dtype::complex128: return nccl_element{ncclFloat64, 2};
    default: return std::nullopt;
  }
}
inline ncclRedOp_t nccl_op(dtype element, monoid combine) {
  bool const both = combine == monoid::product || combine == monoid::min || combine == monoid::logical_and;
  if (element == dtype::boolean) return both ? ncclMin : ncclMax;
  if (combine == monoid::sum) return ncclSum;
  if (combine == monoid::product) return ncclProd;
  return both ? ncclMin : ncclMax;
}

class nccl_operation final : public operation {
public:
  nccl_operation(nccl_comm& comm, cudaStream_t after, cudaStream_t own, int rank, int ranks)
      : comm_(comm), after_(after), own_(own), rank_(rank), ranks_(ranks) {}

  void start() override {
    cuda_check(cudaEventRecord(event_.get(), after_));
    cuda_check(cudaStreamWaitEvent(own_, event_.get(), 0));
    ticket_ = comm_.tickets++;
    stage_ = stage::waits;
    folds_ = false;
  }

  bool advance() override {
    if (stage_ == stage::waits) {
      if (ticket_ != comm_.given || !comm_.ready()) return false;
      give();
      ++comm_.given;
      stage_ = stage::given;
    }
    if (stage_ == stage::given) {
      if (!comm_.ready()) return false;
      finish();
      cuda_check(cudaEventRecord(event_.get(), own_));
      stage_ = stage::runs;
    }
    cudaError_t const state = cudaEventQuery(event_.get());
    if (state == cudaErrorNotReady) {
      static_cast<void>(comm_.ready());  // throws if it failed meanwhile
      return false;
    }
    cuda_check(state);
    return true;
  }

private:
  enum class stage : std::uint8_t { waits, given, runs };

  void give() {
    switch (asked.kind) {
      case message_kind::all_reduce: all_reduce(); break;
      case message_kind::reduce_scatter: reduce_scatter(); break;
      case message_kind::split: split(); break;
      case message_kind::all_gather: all_gather(asked.out); break;
      case message_kind::all_to_all: all_to_all(asked.out); break;
      case message_kind::exchange: exchange(); break;
      case message_kind::broadcast:
        comm_.check(ncclBroadcast(asked.out, asked.out, size(asked.count), ncclUint8, asked.root, comm_.get(), own_));
        break;
      case message_kind::barrier:
        comm_.check(ncclAllReduce(room_.of(1), room_.of(1), 1, ncclUint8, ncclMax, comm_.get(), own_));
        break;
    }
  }
  // Enqueues what follows NCCL's part in the stream.
  void finish() {
    if (folds_)
      with_element(asked.element, any_device_fold{asked.combine})(asked.out, room_.of(0), ranks_, asked.count, own_);
    if (asked.kind == message_kind::split)
      cuda_check(cudaMemcpyAsync(asked.out, room_.of(0), size(asked.count * ranks_), cudaMemcpyDeviceToHost, own_));
  }
  static std::size_t size(std::int64_t count) { return static_cast<std::size_t>(count); }

  std::optional<nccl_element> own_element() const {
    if (asked.order == combine_order::by_rank) return std::nullopt;
    return nccl_element_of(asked.element, asked.combine);
  }
  void all_reduce() {
    if (auto const element = own_element()) {
      comm_.check(ncclAllReduce(asked.in, asked.out, size(asked.count * element->count), element->type,
                                nccl_op(asked.element, asked.combine), comm_.get(), own_));
      return;
    }
    folds_ = true;
    all_gather(room_.of(asked.bytes() * ranks_));
  }
  void reduce_scatter() {
    if (auto const element = own_element()) {
      comm_.check(ncclReduceScatter(asked.in, asked.out, size(asked.count * element->count), element->type,
                                    nccl_op(asked.element, asked.combine), comm_.get(), own_));
      return;
    }
    folds_ = true;
    all_to_all(room_.of(asked.bytes() * ranks_));
  }
  // A split's buffers are in host memory.
  void split() {
    std::byte* const all = room_.of(asked.count * (ranks_ + 1));
    std::byte* const mine = all + asked.count * ranks_;
    cuda_check(cudaMemcpyAsync(mine, asked.in, size(asked.count), cudaMemcpyHostToDevice, own_));
    comm_.check(ncclAllGather(mine, all, size(asked.count), ncclUint8, comm_.get(), own_));
  }
  void all_gather(std::byte* out) {
    comm_.check(ncclAllGather(asked.in, out, size(asked.bytes()), ncclUint8, comm_.get(), own_));
  }
  void all_to_all(std::byte* out) {
    std::int64_t const bytes = asked.bytes();
    comm_.check(ncclGroupStart());
    for (int rank = 0; rank < ranks_; ++rank) {
      comm_.check(ncclSend(asked.in + bytes * rank, size(bytes), ncclUint8, rank, comm_.get(), own_));
      comm_.check(ncclRecv(out + bytes * rank, size(bytes), ncclUint8, rank, comm_.get(), own_));
    }
    comm_.check(ncclGroupEnd());
  }
  void exchange() {
    comm_.check(ncclGroupStart());
    for (int rank = 0; rank < ranks_; ++rank) {
      auto const& to = sent[size(rank)];
      auto const& from = received[size(rank)];
      if (to.bytes > 0) comm_.check(ncclSend(asked.in + to.offset, size(to.bytes), ncclUint8, rank, comm_.get(), own_));
      if (from.bytes > 0)
        comm_.check(ncclRecv(asked.out + from.offset, size(from.bytes), ncclUint8, rank, comm_.get(), own_));
    }
    comm_.check(ncclGroupEnd());
  }

  nccl_comm& comm_;
  cudaStream_t after_, own_;
  int rank_, ranks_;
  stage stage_ = stage::waits;
  std::int64_t ticket_ = 0;
  bool folds_ = false;
  cuda_event event_;
  cuda_room room_;
};

}  // namespace tessera::detail
