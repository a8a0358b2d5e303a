// SPDX-License-Identifier: Apache-2.0
// A rank with a GPU: every message of a channel of NCCL, on memory of the device. Started by mpiexec, one rank a GPU.

#include <tessera/comm/mpi.hpp>
#include <tessera/comm/nccl.hpp>

#include <cstdio>
#include <vector>

namespace ts = tessera;

namespace {

// Elements of the device, from and to vectors.
template <class T>
struct device_block {
  explicit device_block(std::vector<T> const& from) : count(from.size()) {
    ts::detail::cuda_check(cudaMalloc(&data, count * sizeof(T)));
    ts::detail::cuda_check(cudaMemcpy(data, from.data(), count * sizeof(T), cudaMemcpyHostToDevice));
  }
  ~device_block() { cudaFree(data); }
  device_block(device_block const&) = delete;
  std::vector<T> read() const {
    std::vector<T> to(count);
    ts::detail::cuda_check(cudaMemcpy(to.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost));
    return to;
  }
  T* data = nullptr;
  std::size_t count;
};

void require(bool good, char const* what) {
  if (!good) throw std::logic_error(what);
}

template <class T>
void sums(ts::channel& on, ts::dtype element) {
  int const ranks = on.size(), me = on.rank();
  constexpr int count = 1031;
  for (auto const order : {ts::combine_order::fastest, ts::combine_order::by_rank}) {
    device_block<T> const in(std::vector<T>(count, T(static_cast<float>(me + 1))));
    device_block<T> const out(std::vector<T>(count, T(0.0f)));
    on.all_reduce(out.data, in.data, count, element, ts::monoid::sum, "sum", order).wait();
    for (T const one : out.read())
      require(static_cast<float>(one) == static_cast<float>(ranks * (ranks + 1) / 2), "all_reduce (sum)");
    on.all_reduce(out.data, in.data, count, element, ts::monoid::max, "max", order).wait();
    for (T const one : out.read()) require(static_cast<float>(one) == static_cast<float>(ranks), "all_reduce (max)");
    device_block<T> const whole(std::vector<T>(static_cast<std::size_t>(count * ranks), T(static_cast<float>(me + 1))));
    on.reduce_scatter(out.data, whole.data, count, element, ts::monoid::sum, "part", order).wait();
    for (T const one : out.read())
      require(static_cast<float>(one) == static_cast<float>(ranks * (ranks + 1) / 2), "reduce_scatter");
  }
}

void moves(ts::channel& on) {
  int const ranks = on.size(), me = on.rank();
  auto const n = static_cast<std::size_t>(ranks);
  device_block<int> const mine{std::vector<int>{me}}, all{std::vector<int>(n)};
  on.all_gather(all.data, mine.data, sizeof(int), "all_gather").wait();
  auto const gathered = all.read();
  std::vector<int> to_each(n);
  for (int r = 0; r < ranks; ++r) {
    require(gathered[r] == r, "all_gather");
    to_each[r] = 100 * me + r;
  }
  device_block<int> const out(to_each);
  on.all_to_all(all.data, out.data, sizeof(int), "all_to_all").wait();
  auto const came = all.read();
  for (int r = 0; r < ranks; ++r) require(came[r] == 100 * r + me, "all_to_all");
  std::vector<ts::message_part> sent(n), received(n);
  sent[(me + 1) % ranks] = received[(me + ranks - 1) % ranks] = {0, 4};
  on.exchange(all.data, received, mine.data, sent, "to the next").wait();
  require(all.read()[0] == (me + ranks - 1) % ranks, "exchange");
  on.broadcast(mine.data, sizeof(int), ranks - 1, "broadcast").wait();
  require(mine.read()[0] == ranks - 1, "broadcast");
  auto const half = on.split(me % 2, 0, "half");
  half->barrier("half").wait();
  require(half->size() == (ranks + 1 - me % 2) / 2, "split");
}

}  // namespace

int main() {
  auto const world = ts::mpi_channel();
  try {
    int devices = 0, here = 0;
    ts::detail::cuda_check(cudaGetDeviceCount(&devices));
    for (int r = 0; r < world->rank(); ++r) here += world->host(r) == world->host(world->rank());
    ts::detail::cuda_check(cudaSetDevice(here % devices));
    auto const gpus = ts::nccl_channel(world, nullptr);
    sums<float>(*gpus, ts::dtype::float32);
    sums<double>(*gpus, ts::dtype::float64);
    sums<ts::bfloat16>(*gpus, ts::dtype::bfloat16);
    sums<ts::float16>(*gpus, ts::dtype::float16);
    sums<std::int16_t>(*gpus, ts::dtype::int16);
    moves(*gpus);
    std::printf("%s: all is well\n", gpus->name().c_str());
  } catch (std::exception const& error) {
    world->abort(error.what());
  }
}
