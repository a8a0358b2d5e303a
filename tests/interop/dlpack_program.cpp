// SPDX-License-Identifier: Apache-2.0
// A library that Python loads: arrays go to it and come from it in capsules (dlpack_python.py).

#include <tessera/arrays.hpp>
#include <tessera/python.hpp>

#include <cmath>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace {
namespace ts = tessera;

struct dp : ts::axis {};
using line = ts::mesh<ts::explicit_axis<dp, 3>>;

ts::runtime& running() {
  static int count = 0;
  static auto* const all = new ts::runtime(count, nullptr);  // Python ends the process
  return *all;
}
// f(std::type_identity<T>) for the element type of this name.
template <class F>
auto with_named(char const* name, F&& f) {
  for (int k = 0; k <= static_cast<int>(ts::dtype::complex128); ++k)
    if (ts::name_of(static_cast<ts::dtype>(k)) == name) {
      decltype(f(std::type_identity<float>{})) result{};
      ts::detail::with_element(static_cast<ts::dtype>(k), [&](auto type) { result = f(type); });
      return result;
    }
  throw std::invalid_argument(name);
}
template <class T>
T number_as(int value) {
  if constexpr (ts::is_complex(ts::dtype_of<T>()))
    return T(static_cast<typename T::value_type>(value), static_cast<typename T::value_type>(-value));
  else
    return static_cast<T>(static_cast<float>(value));
}
template <class T>
std::string text_of(T value) {
  if constexpr (ts::is_complex(ts::dtype_of<T>()))
    return std::to_string(std::lround(value.real())) + "i" + std::to_string(std::lround(value.imag()));
  else
    return std::to_string(std::lround(static_cast<double>(value)));
}
// 0, 1, ... 11, 3 x 4.
template <class T>
auto counting(std::type_identity<T>) {
  running();
  std::unique_ptr<T[]> const values(new T[12]);
  for (int i = 0; i < 12; ++i) values[i] = number_as<T>(i);
  return ts::device_put(ts::host<3, 4>(std::span<T const>(values.get(), 12)));
}

std::string last_text;
char const* kept(std::string text) {
  last_text = std::move(text);
  return last_text.c_str();
}
// Arrays that stay until they are let go.
auto& held_arrays() {
  using open = ts::shape<ts::dynamic, ts::dynamic>;
  using matrix = decltype(ts::from_dlpack<float, open>(std::declval<ts::dlpack_tensor>()));
  static std::map<int, matrix> all;
  return all;
}
// "adopted: 0 4 8 ...", or what was wrong.
template <class T>
std::string read(_object* capsule, ts::dlpack_copy copy) try {
  running();
  auto const before = ts::memory_in_use().live_buffers;
  auto const x = ts::from_dlpack<T, ts::shape<ts::dynamic, ts::dynamic>>(ts::from_capsule(capsule), copy);
  std::string text = ts::memory_in_use().live_buffers == before ? "adopted:" : "copied:";
  for (auto const& value : x.to_host()) {
    text += ' ';
    text += text_of(static_cast<T>(value));
  }
  return text;
} catch (std::exception const& error) {
  return error.what();
}
}  // namespace

extern "C" {
// Of an array that nobody else has: a capsule whose memory may be written.
_object* own(char const* type) {
  return with_named(type, [](auto element) { return ts::to_capsule(ts::to_dlpack(counting(element))); });
}
_object* own_unversioned(char const* type) {
  return with_named(type, [](auto element) { return ts::to_capsule(ts::to_dlpack_unversioned(counting(element))); });
}
// Of one that goes on living here: not to be written, or a copy for those to whom one cannot say so.
_object* shared(char const* type) {
  return with_named(type, []<class T>(std::type_identity<T> element) {
    static auto const x = counting(element);
    return ts::to_capsule(ts::to_dlpack(x));
  });
}
_object* shared_unversioned() {
  static auto const x = counting(std::type_identity<float>{});
  return ts::to_capsule(ts::to_dlpack_unversioned(x));
}
// Device `which`'s rows of 6 x 4 over three.
_object* block(int which) {
  running();
  std::vector<float> values(24);
  for (std::size_t i = 0; i < 24; ++i) values[i] = static_cast<float>(i);
  static auto const x = ts::device_put<ts::P<dp>>(ts::host<6, 4>(values), ts::make_mesh<line>(ts::devices()));
  for (auto const& shard : x.addressable_shards())
    if (which-- == 0) return ts::to_capsule(ts::to_dlpack(shard));
  return nullptr;
}
// copy: 0 where it is needed, 1 always, 2 never.
char const* take(char const* type, _object* capsule, int copy) {
  return kept(with_named(
      type, [&]<class T>(std::type_identity<T>) { return read<T>(capsule, static_cast<ts::dlpack_copy>(copy)); }));
}
// An array of it stays, under a number, and its first element can be read.
char const* hold(int number, _object* capsule) {
  auto const made = ts::from_dlpack<float, ts::shape<ts::dynamic, ts::dynamic>>(ts::from_capsule(capsule));
  held_arrays().erase(number);
  held_arrays().emplace(number, made);
  return kept(std::to_string(made.to_host()[0]));
}
void let_go(int number) { held_arrays().erase(number); }
long live_buffers() { return running(), ts::memory_in_use().live_buffers; }
}
