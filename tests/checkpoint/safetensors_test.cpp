// SPDX-License-Identifier: Apache-2.0
// Files between this library and Python's safetensors package: one that it wrote, byte for byte, and where it is installed
// both ways. TESSERA_PYTHON names another interpreter than python3.

#include <tessera/checkpoint.hpp>
#include <tessera/engine/checkpoint/safetensors.hpp>

#include "support/on_grid.hpp"
#include "support/own_folder.hpp"
#include "support/throws.hpp"

#include <cstdlib>
#include <string>
#include <tuple>
#include <vector>

#include <sys/wait.h>

namespace {

using namespace on_grid;
using ts::none;
using ts::P;
using ts::testing::own_folder;
using ts::testing::write_file;

// Of safetensors 0.8.0 with NumPy: safetensors_package.py write FILE.
std::string const recorded_head = R"({"__metadata__":{"framework":"any"},)"
                                  R"("encoder.b":{"dtype":"I64","shape":[3],"data_offsets":[0,24]},)"
                                  R"("one":{"dtype":"F64","shape":[],"data_offsets":[24,32]},)"
                                  R"("encoder.w":{"dtype":"F32","shape":[2,4],"data_offsets":[32,64]},)"
                                  R"("none":{"dtype":"F32","shape":[0,3],"data_offsets":[64,64]},)"
                                  R"("half":{"dtype":"F16","shape":[2],"data_offsets":[64,68]},)"
                                  R"("a \"strange\" näme":{"dtype":"U8","shape":[1],"data_offsets":[68,69]},)"
                                  R"("mask":{"dtype":"BOOL","shape":[4],"data_offsets":[69,73]}})";
std::string const recorded_data =
    "ffffffffffffffff020000000000000000000000000100009a9999999999b93f000000000000803f0000004000004040"
    "000080400000a0400000c0400000e040003c00c00701000101";
std::string recorded() {
  std::string head = recorded_head + std::string(4, ' '), bytes(8, '\0');
  bytes[0] = static_cast<char>(head.size() & 255);
  bytes[1] = static_cast<char>(head.size() >> 8);
  bytes += head;
  for (std::size_t i = 0; i < recorded_data.size(); i += 2)
    bytes += static_cast<char>(std::stoi(recorded_data.substr(i, 2), nullptr, 16));
  return bytes;
}

template <class M, class Element, class Shape, class S>
using on = ts::array<ts::array_type<Element, Shape, S, M>>;
struct encoder {
  on<grid, float, ts::shape<2, 4>, P<mp, dp>> w;
  on<grid, std::int64_t, ts::shape<ts::dynamic>, P<>> b;
  static constexpr ts::names<2> names{"w", "b"};
};
struct all_of_it {
  encoder weights;
  on<grid, bool, ts::shape<4>, P<dp>> mask;
  on<grid, ts::float16, ts::shape<2>, P<mp>> half;
  on<grid, std::uint8_t, ts::shape<1>, P<>> strange;
  on<ts::no_mesh, double, ts::shape<>, P<>> one;
  on<grid, float, ts::shape<0, 3>, P<>> empty;
  static constexpr ts::names<6> names{"weights", "mask", "half", "strange", "one", "none"};
};
ts::restore_options const names{.rename = {{"weights", "encoder"}, {"strange", "a \"strange\" n\xc3\xa4me"}}};

void expect_recorded(std::string const& path) {
  auto const all = ts::restore<all_of_it>(path, ts::make_mesh<grid>(ts::devices()), names);
  expect(all.weights.w, {0, 1, 2, 3, 4, 5, 6, 7}, 0);
  EXPECT_EQ(std::vector<std::int64_t>(all.weights.b.to_host()),
            (std::vector<std::int64_t>{-1, 2, std::int64_t{1} << 40}));
  EXPECT_EQ(std::vector<std::uint8_t>(all.mask.to_host()), (std::vector<std::uint8_t>{1, 0, 1, 1}));
  auto const half = all.half.to_host();
  EXPECT_EQ(static_cast<float>(half[0]), 1.0f);
  EXPECT_EQ(static_cast<float>(half[1]), -2.0f);
  EXPECT_EQ(all.strange.item(), 7);
  EXPECT_EQ(all.one.item(), 0.1);
  EXPECT_EQ(all.empty.size(), 0);
}

TEST(Safetensors, ARecordedFile) {
  own_folder const folder;
  write_file(folder / "model.safetensors", recorded());
  expect_recorded(folder / "model.safetensors");
  expect_recorded(folder.path());
  EXPECT_EQ(ts::describe_checkpoint(folder.path()),
            "a \"strange\" n\xc3\xa4me  uint8[1]\nencoder.b  int64[3]\nencoder.w  float32[2,4]\nhalf  float16[2]\n"
            "mask  bool[4]\nnone  float32[0,3]\none  float64[]\n");
}
TEST(Safetensors, SeveralFilesWithAnIndexOfOthers) {
  own_folder const folder;
  write_file(folder / "model-00001.safetensors", recorded());
  std::string map = R"({"metadata":{"total_size":73},"weight_map":{)";
  for (auto const* name : {"encoder.w", "encoder.b", "mask", "half", R"(a \"strange\" n\u00e4me)", "one"}) {
    map += '"';
    map += name;
    map += R"(":"model-00001.safetensors",)";
  }
  write_file(folder / "model.safetensors.index.json", map + R"("none":"model-00001.safetensors"}})");
  expect_recorded(folder.path());
  expect_recorded(folder / "model.safetensors.index.json");
  write_file(folder / "model.safetensors.index.json", R"({"weight_map":{"x":"../model-00001.safetensors"}})");
  EXPECT_THROW_TEXT(ts::describe_checkpoint(folder.path()), "a file of the weight_map is not beside it");
}

// Heads that are no heads: each refused with what is wrong.
TEST(Safetensors, HostileHeads) {
  own_folder const folder;
  auto const path = folder / "x.safetensors";
  auto const refused = [&](std::string const& json, std::string const& why, std::size_t data = 4) {
    std::string bytes(8, '\0');
    bytes[0] = static_cast<char>(json.size() & 255);
    bytes[1] = static_cast<char>(json.size() >> 8);
    write_file(path, bytes + json + std::string(data, 'x'));
    EXPECT_THROW_TEXT(ts::describe_checkpoint(path), why);
    EXPECT_THROW_TEXT(ts::describe_checkpoint(path), path);
  };
  refused(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,5]}})", "\"a\" ends beyond the end of the file");
  refused(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})",
          "another number of bytes than its dtype and shape");
  refused(R"({"a":{"dtype":"F32","shape":[4611686018427387904,4611686018427387904],"data_offsets":[0,4]}})",
          "another number of bytes");
  refused(R"({"a":{"dtype":"F32","shape":[18446744073709551617],"data_offsets":[0,4]}})", "a size beyond 63 bits");
  refused(R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})",
          "a size is a whole number that is not negative");
  refused(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}})", "does not begin where");
  refused(
      R"({"a":{"dtype":"I8","shape":[2],"data_offsets":[0,2]},"b":{"dtype":"I8","shape":[3],"data_offsets":[1,4]}})",
      "\"b\" does not begin where");
  refused(
      R"({"a":{"dtype":"I8","shape":[1],"data_offsets":[0,1]},"b":{"dtype":"I8","shape":[2],"data_offsets":[2,4]}})",
      "\"b\" does not begin where");
  refused(
      R"({"a":{"dtype":"I8","shape":[2],"data_offsets":[0,2]},"a":{"dtype":"I8","shape":[2],"data_offsets":[2,4]}})",
      "\"a\" stands twice");
  refused(R"({"a":{"dtype":"I8","shape":[2],"data_offsets":[0,2]}})", "bytes behind its last tensor");
  refused(R"({"a":{"dtype":"I8","shape":[4]}})", "a tensor has dtype, shape and data_offsets");
  refused(R"({"a":{"dtype":"I8","shape":[4],"data_offsets":[0,4,4]}})", "data_offsets are two numbers");
  refused(R"({"a":7})", "'{' is expected");
  refused(std::string(40, '['), "'{' is expected");
  refused("{\"a\":{\"x\":" + std::string(40, '[') + "}}", "nested deeper than 32");
  refused("{} {}", "something follows the end", 0);
  write_file(path, std::string("\xff\xff\xff\xff\xff\xff\xff\x7f", 8) + "{}");
  EXPECT_THROW_TEXT(ts::describe_checkpoint(path), "a head that is longer than the file");
  write_file(path, "short");
  EXPECT_THROW_TEXT(ts::describe_checkpoint(path), "is too short");
  std::string const strange = R"({"a":{"dtype":"F\u0000\u001b[2J","shape":[1],"data_offsets":[0,4]}})";
  refused(strange.substr(0, strange.size() - 1) + R"(,"a":7})", "'{' is expected");
  write_file(path, std::string(1, static_cast<char>(strange.size())) + std::string(7, '\0') + strange + "1234");
  using tree = std::tuple<on<grid, float, ts::shape<1>, P<>>>;
  EXPECT_THROW_TEXT(ts::restore<tree>(path, ts::make_mesh<grid>(ts::devices()), {.rename = {{"0", "a"}}}),
                    "\"F\\u0000\\u001b[2J\"[1] is there\nFix: ");
  refused("{\"" + std::string(1000, 'n') + R"(":{"dtype":"I8","shape":[3],"data_offsets":[0,4]}})",
          "\"" + std::string(80, 'n') + "\"... has another number of bytes");
  write_file(path, recorded() + "x");
  EXPECT_THROW_TEXT(ts::describe_checkpoint(path), "bytes behind its last tensor");
  auto bytes = recorded();
  bytes.back() = 2;  // of a bool
  write_file(path, bytes);
  EXPECT_THROW_TEXT(expect_recorded(path), "mask is bool and has bytes that are neither 0 nor 1");
}

// The output of the script, or "skipped".
std::string package(std::string const& action, std::string const& path) {
  char const* const python = std::getenv("TESSERA_PYTHON");
  std::string const command = std::string(python ? python : "python3") + " " + TESSERA_SOURCE_DIR +
                              "/tests/checkpoint/safetensors_package.py " + action + " " + path;
  FILE* const pipe = ::popen(command.c_str(), "r");
  if (!pipe) return "skipped";
  std::string text;
  for (int c; (c = std::fgetc(pipe)) != EOF;) text += static_cast<char>(c);
  int const status = ::pclose(pipe);
  if (WIFEXITED(status) && (WEXITSTATUS(status) == 77 || WEXITSTATUS(status) == 127)) return "skipped";
  EXPECT_EQ(status, 0) << command;
  return text;
}

TEST(Safetensors, PythonReadsOurs) {
  own_folder const folder;
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  auto const w = ts::device_put<P<none, dp>>(ts::host<2, 4>(std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7}), mesh);
  auto const c = ts::device_put<P<mp>>(ts::host<2>(std::vector<ts::complex64>{{1, 2}, {3, 4}}), mesh);
  auto const n = ts::device_put<P<>>(ts::host<3>(std::vector<std::int16_t>{1, -1, 256}), mesh);
  ts::save(folder / "x", std::tuple{w, c, n, 5});
  auto const read = package("read", folder / "x/arrays-00000-of-00001.safetensors");
  if (read == "skipped") GTEST_SKIP() << "Python's safetensors package is not installed";
  EXPECT_EQ(read,
            "0 float32 [2, 4] 000000000000803f0000004000004040000080400000a0400000c0400000e040\n"
            "1 float32 [2, 2] 0000803f000000400000404000008040\n"
            "2 int16 [3] 0100ffff0001\n");
}
TEST(Safetensors, WhatPythonWritesIsRead) {
  own_folder const folder;
  if (package("write", folder / "model.safetensors") == "skipped")
    GTEST_SKIP() << "Python's safetensors package is not installed";
  expect_recorded(folder.path());
}

}  // namespace
