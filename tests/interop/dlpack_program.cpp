// SPDX-License-Identifier: Apache-2.0
// A library that Python loads: arrays go to it and come from it as tensors (dlpack_python.py).

#include <tessera/arrays.hpp>
#include <tessera/dlpack.hpp>

#include <cstring>
#include <numeric>
#include <string>
#include <vector>

namespace {
namespace ts = tessera;

ts::runtime& running() {
  static int count = 0;
  static auto* const all = new ts::runtime(count, nullptr);  // Python ends the process
  return *all;
}
auto counting() {
  running();
  std::vector<double> v(12);
  std::iota(v.begin(), v.end(), 0.0);
  return ts::device_put(ts::host<3, 4>(v));
}

// "adopted: 0 4 8 ...", or what was wrong.
template <class T, class Tensor>
std::string read(Tensor tensor) try {
  running();
  auto const before = ts::memory_in_use().live_buffers;
  auto const x = ts::from_dlpack<T, ts::shape<ts::dynamic, ts::dynamic>>(std::move(tensor));
  std::string text = ts::memory_in_use().live_buffers == before ? "adopted:" : "copied:";
  for (auto const& value : x.to_host()) text += ' ' + std::to_string(static_cast<long>(value));
  return text;
} catch (std::exception const& error) {
  return error.what();
}
template <class Tensor>
std::string read_as(char const* type, Tensor tensor) {
  std::string const name = type;
  if (name == "float64") return read<double>(std::move(tensor));
  if (name == "float32") return read<float>(std::move(tensor));
  if (name == "int16") return read<std::int16_t>(std::move(tensor));
  return read<std::uint8_t>(std::move(tensor));
}
char const* kept(std::string text) {
  static std::string last;
  last = std::move(text);
  return last.c_str();
}
}  // namespace

extern "C" {
ts::dlpack::managed_tensor_versioned* make_tensor() { return ts::to_dlpack(counting()).release(); }
ts::dlpack::managed_tensor_versioned* make_shared_tensor() {
  static auto const x = counting();
  return ts::to_dlpack(x).release();
}
ts::dlpack::managed_tensor* make_unversioned() { return ts::to_dlpack_unversioned(counting()).release(); }
char const* take_tensor(char const* type, ts::dlpack::managed_tensor_versioned* tensor) {
  return kept(read_as(type, ts::dlpack_tensor(tensor)));
}
char const* take_unversioned(char const* type, ts::dlpack::managed_tensor* tensor) {
  return kept(read_as(type, ts::dlpack_tensor_unversioned(tensor)));
}
long live_buffers() { return running(), ts::memory_in_use().live_buffers; }
}
