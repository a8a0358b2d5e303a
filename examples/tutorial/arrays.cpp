// SPDX-License-Identifier: Apache-2.0
// Arrays: what they hold, where they are, and what it takes to bring them elsewhere.

#include <tessera/tessera.hpp>

#include <cmath>
#include <iostream>
#include <numeric>
#include <vector>

namespace ts = tessera;

namespace {

// From vectors, lists and numbers. Without a device or a mesh, on the first device.
void making() {
  std::vector<float> const four{1, 2, 3, 4};
  auto const from_vector = ts::device_put(ts::host<4>(four));
  std::cout << from_vector << " is " << ts::typeof_(from_vector) << " on " << from_vector.device() << ", shape "
            << from_vector.shape() << ", " << from_vector.dtype() << ", ndim " << from_vector.ndim() << '\n';
  auto const from_list = ts::asarray({{5.f, 6.f}, {7.f, 8.f}});
  std::cout << from_list << "\non " << from_list.device() << "\n\n";
}

// Nothing changes an array: what looks like it makes another one.
void not_changing() {
  auto const x = ts::asarray({10, 20, 30});
  auto const copy = x;
  auto const changed = x.at(0).set(100);
  std::cout << "x.at(0).set(100) gives " << changed << ", and x is " << x << '\n'
            << "the same array as x: its copy " << (copy.id() == x.id() ? "yes" : "no") << ", what at gave "
            << (changed.id() == x.id() ? "yes" : "no") << '\n'
            << "outside: x.at(7).get() is " << x.at(7).get() << ", x.at(7).set(1) is " << x.at(7).set(1) << '\n';
  try {
    (void)x.at(7).get(ts::mode::checked);
  } catch (std::out_of_range const& error) {
    std::cout << error.what() << "\n\n";
  }
}

void devices() {
  std::cout << "backend " << ts::default_backend() << ", devices " << ts::devices() << '\n'
            << ts::device_count() << " of them, " << ts::local_device_count() << " in this process, which is number "
            << ts::process_index() << " of " << ts::process_count() << "\n\n";
}

// Onto a device, from one to another, and back to the host. A log says what was copied.
void moving() {
  std::vector<float> const six{0.25f, 0.5f, 0.75f, 1, 1.25f, 1.5f};
  ts::transfer_log log;
  auto const there = ts::device_put(ts::host<2, 3>(six), ts::devices()[3]);
  std::cout << there << "\non " << there.device() << '\n';
  auto const moved = ts::device_put(there, ts::devices()[5]);
  std::cout << "moved to " << moved.device() << ", results stay there: " << (moved + 1).device() << '\n';
  auto const as_another = ts::device_put(ts::ones<float, 3>(), moved.sharding());
  std::cout << "put where another is: " << as_another.device() << ", " << moved.sharding() << '\n';
  std::vector<float> const back = ts::device_get(moved);
  std::cout << "on the host again, they sum up to " << std::accumulate(back.begin(), back.end(), 0.0f) << '\n';
  for (auto const& copy : log.transfers()) std::cout << copy.what << ": " << copy.bytes << " bytes\n";
  std::cout << '\n';
}

// A value without dimensions is a C++ number where one is asked for, and a condition where one stands.
void numbers() {
  auto const x = ts::asarray(ts::reshape<1000, 1000>(ts::arange<float, 1000000>()));
  auto const product = ts::dot(x, x.T());
  product.block_until_ready();  // a clock would be read here
  auto const first = product.at(0, 0).get();
  auto const exact = 332833500.0;  // the squares of 0 to 999
  std::cout << "x x^T is " << ts::typeof_(product) << ", its first element " << ts::typeof_(first)
            << " is off by less than "
            << "a hundred-thousandth: " << (std::abs(double(first) / exact - 1) < 1e-5 ? "yes" : "no") << '\n'
            << "the sum of its first row of 1000 is " << static_cast<int>(ts::sum(x.at(0).get())) << '\n';
  if (first > 3e8f) std::cout << "large\n";
}

}  // namespace

int main(int argc, char** argv) {
  ts::runtime runtime{argc, argv, 8};
  making();
  not_changing();
  devices();
  moving();
  numbers();
}
