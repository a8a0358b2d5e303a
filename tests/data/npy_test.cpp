// SPDX-License-Identifier: Apache-2.0
// .npy files: bytes that NumPy has written are read, what we write is those bytes again, in every dtype, order and layout;
// headers that lie are refused, with the byte at which they do.

#include <tessera/data/npy.hpp>

#include "support/file_of.hpp"
#include "support/on_grid.hpp"

#include <cstring>

namespace {

using namespace on_grid;
using ts::none;
using ts::P;
using ts::shape;
using ts::testing::bytes_in;
using ts::testing::file_of;

// As numpy.save writes it.
std::string with_header(std::string dict, std::string const& values) {
  while ((10 + dict.size() + 1) % 64 != 0) dict += ' ';
  dict += '\n';
  std::string text("\x93NUMPY\x01\0", 8);
  text += static_cast<char>(dict.size() & 255);
  text += static_cast<char>(dict.size() >> 8);
  return text + dict + values;
}
template <class T>
std::string bytes_of(std::vector<T> const& values) {
  return {reinterpret_cast<char const*>(values.data()), values.size() * sizeof(T)};
}
template <class T>
std::vector<T> all_of(ts::npy_file const& file) {
  ts::region all;
  for (auto extent : file.extents()) all.push_back({0, extent});
  std::vector<T> out(static_cast<std::size_t>(ts::detail::size_of(all)));
  file.read(all, reinterpret_cast<std::byte*>(out.data()));
  return out;
}

// numpy 2.4.6: np.save(f, np.asfortranarray(np.arange(6, dtype='<f4').reshape(2, 3))), as base16.
TEST(npy, what_numpy_has_written) {
  std::string const header =
      "934e554d5059010076007b276465736372273a20273c6634272c2027666f727472616e5f6f72646572273a20547275652c20"
      "277368617065273a2028322c2033292c207d2020202020202020202020202020202020202020202020202020202020202020"
      "2020202020202020202020202020202020202020202020202020200a";
  std::string const values = "00000000000040400000803f00008040000000400000a040";
  std::string bytes;
  std::string const digits = header + values;
  for (std::size_t i = 0; i < digits.size(); i += 2)
    bytes += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
  file_of const file(bytes, ".npy");
  ts::npy_file const x(file.path());
  EXPECT_EQ(x.element(), ts::dtype::float32);
  EXPECT_EQ(x.extents(), (ts::extents_list{2, 3}));
  EXPECT_EQ(x.order(), ts::npy_order::fortran);
  EXPECT_EQ(all_of<float>(x), (std::vector<float>{0, 1, 2, 3, 4, 5}));
  auto const rows = x.rows<float>();
  EXPECT_EQ(rows.count(), 2);
  float part[2];
  rows.source().read(1, {{1, 3}}, reinterpret_cast<std::byte*>(part));
  EXPECT_EQ(part[0], 4);
  EXPECT_EQ(part[1], 5);
  std::string const again = file_of::new_path(".npy");
  ts::save_npy(again, ts::host<2, 3>(std::vector<float>{0, 1, 2, 3, 4, 5}), ts::npy_order::fortran);
  EXPECT_EQ(bytes_in(again), bytes);
  std::remove(again.c_str());
}

TEST(npy, other_ways_to_write_a_header) {
  std::string const values(8, '\0');
  for (std::string const dict : {"{'descr':'<f8','fortran_order':False,'shape':(1,)}",
                                 "{\"shape\": (1), \"descr\": \"<f8\", 'fortran_order': False,}",
                                 "{'fortran_order': True, 'shape': (), 'descr': '=f8', }"}) {
    file_of const file(with_header(dict, values), ".npy");
    EXPECT_EQ(all_of<double>(ts::npy_file(file.path())), std::vector<double>{0}) << dict;
  }
  std::string const dict = "{'descr': '|b1', 'fortran_order': False, 'shape': (2,), }";
  std::string version2("\x93NUMPY\x02\0", 8);
  version2 += static_cast<char>(dict.size());
  version2 += std::string("\0\0\0", 3) + dict + "\x01\x07";
  file_of const file(version2, ".npy");
  EXPECT_EQ(all_of<std::uint8_t>(ts::npy_file(file.path())), (std::vector<std::uint8_t>{1, 1})) << "a bool is 0 or 1";
}

template <class T>
void expect_round_trip() {
  std::vector<ts::detail::host_element_of<T>> values(24);
  for (std::size_t i = 0; i < 24; ++i) {
    if constexpr (std::is_same_v<T, bool>)
      values[i] = i % 3 == 0;
    else if constexpr (std::is_same_v<T, ts::complex64> || std::is_same_v<T, ts::complex128>)
      values[i] = T(static_cast<typename T::value_type>(i), static_cast<typename T::value_type>(1));
    else
      values[i] = static_cast<T>(static_cast<float>(i));
  }
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const host = ts::host_view<T, shape<8, 3>>(reinterpret_cast<T const*>(values.data()), {8, 3});
  for (auto order : {ts::npy_order::c, ts::npy_order::fortran}) {
    std::string const path = file_of::new_path(".npy"), other = file_of::new_path(".npy");
    ts::save_npy(path, host, order);
    auto const x = ts::load_npy<P<ts::axes<mp, dp>, none>, shape<8, 3>, T>(path, mesh);
    EXPECT_EQ(x.to_host(), values) << ts::name_of(ts::dtype_of<T>());
    ts::save_npy(other, x, order);
    EXPECT_EQ(bytes_in(path), bytes_in(other));
    std::remove(path.c_str());
    std::remove(other.c_str());
  }
}
TEST(npy, every_dtype_in_both_orders) {
  expect_round_trip<bool>();
  expect_round_trip<ts::int8>();
  expect_round_trip<ts::int16>();
  expect_round_trip<ts::int32>();
  expect_round_trip<ts::int64>();
  expect_round_trip<ts::uint8>();
  expect_round_trip<ts::uint16>();
  expect_round_trip<ts::uint32>();
  expect_round_trip<ts::uint64>();
  expect_round_trip<ts::float16>();
  expect_round_trip<ts::bfloat16>();
  expect_round_trip<float>();
  expect_round_trip<double>();
  expect_round_trip<ts::complex64>();
  expect_round_trip<ts::complex128>();
}

template <class S, std::int64_t... E>
void expect_layout(std::string const& path, std::vector<float> const& values) {
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const x = ts::load_npy<ts::array_type<float, shape<E...>, S, grid>>(path, mesh);
  static_assert(std::is_same_v<decltype(x), decltype(ts::device_put<S>(ts::host<E...>(values), mesh)) const>);
  EXPECT_EQ(x.to_host(), values);
  std::string const other = file_of::new_path(".npy");
  ts::save_npy(other, x);
  EXPECT_EQ(bytes_in(other), bytes_in(path));
  std::remove(other.c_str());
}
TEST(npy, layouts) {
  std::vector<float> values(8 * 4 * 2);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  std::string const path = file_of::new_path(".npy");
  ts::save_npy(path, ts::host<8, 4, 2>(values));
  expect_layout<P<>, 8, 4, 2>(path, values);
  expect_layout<P<dp>, 8, 4, 2>(path, values);
  expect_layout<P<none, mp>, 8, 4, 2>(path, values);
  expect_layout<P<ts::axes<dp, mp>>, 8, 4, 2>(path, values);
  expect_layout<P<none, dp, mp>, 8, 4, 2>(path, values);
  std::remove(path.c_str());
}

std::string error_of(std::string const& bytes) {
  file_of const file(bytes, ".npy");
  std::string const said = ts::testing::said_by<ts::file_error>([&] { ts::npy_file{file.path()}; });
  return said.rfind(file.path(), 0) == 0 ? said.substr(file.path().size()) : said;
}
void expect_refused(std::string const& dict, std::string const& values, std::string const& said) {
  std::string const error = error_of(with_header(dict, values));
  EXPECT_EQ(error.substr(0, said.size()), said) << error;
  EXPECT_NE(error.find(". Fix: "), std::string::npos) << error;
}
TEST(npy, headers_that_are_none) {
  EXPECT_EQ(error_of(""), ": byte 0: this is not a .npy file. Fix: a file that numpy.save has written.");
  EXPECT_EQ(error_of("1,2,3\n4,5,6\n"), ": byte 0: this is not a .npy file. Fix: a file that numpy.save has written.");
  EXPECT_EQ(error_of(std::string("\x93NUMPY\x04\0\0\0\0\0", 12)),
            ": byte 6: format version 4 is not known. Fix: numpy.save with version 1.0 to 3.0.");
  EXPECT_EQ(
      error_of(std::string("\x93NUMPY\x01\0\xff\xff{}", 12)),
      ": byte 8: the header is said to be longer than the file. Fix: the whole file: it may have been cut off when it was copied.");
  EXPECT_EQ(error_of(std::string("\x93NUMPY\x02\0\xff\xff\xff\xff{}", 14)).substr(0, 8), ": byte 8");
  EXPECT_EQ(error_of(std::string("\x93NUMPY\x02\0\xff\xff", 10)).substr(0, 8), ": byte 8");
}
TEST(npy, headers_that_lie) {
  std::string const eight(8, 'x');
  expect_refused("[1, 2]", "", ": byte 10: the header has '[1, 2]");
  expect_refused("{'descr': '<f8', 'fortran_order': False}", eight, ": byte 64: the header has no shape");
  expect_refused("{'descr': '<f8', 'descr': '<f8'}", eight, ": byte 27: the header has the entry 'descr' twice");
  expect_refused("{'color': '<f8'}", eight, ": byte 11: the header has the entry 'color', which no .npy file has");
  expect_refused("{'descr': '>f8', 'fortran_order': False, 'shape': (1,)}", eight,
                 ": byte 20: the values have the bytes of '>f8', the highest first");
  expect_refused("{'descr': '|O', 'fortran_order': False, 'shape': (1,)}", eight,
                 ": byte 20: dtype '|O' is none of ours");
  expect_refused("{'descr': '', 'fortran_order': False, 'shape': (1,)}", eight, ": byte 20: dtype '' is none of ours");
  expect_refused("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,)}", eight,
                 ": byte 20: the array has fields");
  expect_refused("{'descr': '<f8', 'fortran_order': Maybe, 'shape': (1,)}", eight, ": byte 44: the header has 'Maybe");
  expect_refused("{'descr': '<f8', 'fortran_order': False, 'shape': (-1,)}", eight, ": byte 61: the header has '-1,)}");
  expect_refused("{'descr': '<f8', 'fortran_order': False, 'shape': (1 2,)}", eight, ": byte 63: the header has '2,)}");
  expect_refused("{'descr': '<f8', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1)}", eight,
                 ": byte 77: the array has more than 8");
  expect_refused("{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999,)}", eight,
                 ": byte 61: this extent is larger");
  expect_refused("{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296)}", eight,
                 ": byte 136: the file ends");
  expect_refused("{'descr': '<f8', 'fortran_order': False, 'shape': (0, 288230376151711744, 288230376151711744)}", "",
                 ": byte 0: this shape is larger");
  expect_refused("{'descr': '<f8', 'fortran_order': False, 'shape': (2,)}", eight,
                 ": byte 136: the file ends: its header promises");
  expect_refused("{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", eight,
                 ": byte 132: 4 bytes follow the last value");
  expect_refused("{'descr': '<f8", eight, ": byte 20: the header has ''<f8");
}

TEST(npy, another_array_than_is_asked_for) {
  std::string const path = file_of::new_path(".npy");
  ts::save_npy(path, ts::host<8, 2>(std::vector<double>(16)));
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  EXPECT_EQ(
      ts::testing::said_by<ts::file_error>([&] { ts::load_npy<P<dp>, shape<8, 2>, float>(path, mesh); }),
      path +
          ": byte 0: the values are float64, and float32 is asked for. Fix: ask for float64, or save x.astype('float32').");
  EXPECT_EQ(
      ts::testing::said_by<ts::file_error>([&] { ts::load_npy<P<dp>, shape<ts::dynamic, 3>, double>(path, mesh); }),
      path +
          ": byte 0: the array's shape is (8, 2), and (?, 3) is asked for. Fix: ask for the file's shape, or save x.reshape(...).");
  auto const x = ts::load_npy<P<dp>, shape<ts::dynamic, 2>, double>(path, mesh);
  EXPECT_EQ(x.shape(), (ts::extents_list{8, 2}));
  std::remove(path.c_str());
  EXPECT_NE(ts::testing::said_by<ts::file_error>([&] {
              ts::save_npy("no/such/folder/x.npy", x);
            }).find("no/such/folder: cannot be opened"),
            std::string::npos);
}

}  // namespace
