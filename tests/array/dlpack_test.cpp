// SPDX-License-Identifier: Apache-2.0
// Arrays to tensors and back, and tensors as others make them, also wrong ones.

#include <tessera/dlpack.hpp>
#include <tessera/tessera.hpp>

#include "support/near.hpp"
#include "support/on_grid.hpp"
#include "support/throws.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <limits>
#include <memory>
#include <vector>

namespace {

using namespace on_grid;
namespace dl = ts::dlpack;

// A tensor of numbers 0, 1, 2, ... that counts how often it was given back.
struct made_elsewhere {
  std::vector<float> values;
  std::vector<std::int64_t> extents, steps;
  int deleted = 0;

  made_elsewhere(std::size_t n, std::vector<std::int64_t> shape, std::vector<std::int64_t> by = {})
      : values(n), extents(std::move(shape)), steps(std::move(by)) {
    for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<float>(i);
  }
  dl::tensor tensor() {
    dl::tensor t;
    t.data = values.data();
    t.rank = static_cast<std::int32_t>(extents.size());
    t.extents = extents.data();
    t.steps = steps.empty() ? nullptr : steps.data();
    return t;
  }
  template <class Owner>
  Owner give() {
    auto* const made = new typename Owner::element_type;
    made->tensor = tensor();
    made->context = this;
    made->deleter = [](typename Owner::element_type* self) {
      ++static_cast<made_elsewhere*>(self->context)->deleted;
      delete self;
    };
    return Owner(made);
  }
  ts::dlpack_tensor versioned() { return give<ts::dlpack_tensor>(); }
};

TEST(Dlpack, ThereAndBackWithoutACopy) {
  ONLY_ON_HOST();
  auto const v = counted(12);
  auto x = ts::device_put(ts::host<3, 4>(v));
  auto tensor = ts::to_dlpack(x);
  EXPECT_EQ(tensor->version.major, 1u);
  EXPECT_EQ(tensor->flags, dl::read_only);
  EXPECT_EQ(tensor->tensor.device.type, dl::cpu);
  EXPECT_EQ(tensor->tensor.rank, 2);
  EXPECT_EQ(tensor->tensor.type.code, dl::type_code::floating);
  EXPECT_EQ(tensor->tensor.type.bits, 64);
  EXPECT_EQ(tensor->tensor.steps[0], 4);
  auto const place = x.id();
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(tensor->tensor.data), place);
  x.release();  // the tensor keeps it
  auto const y = ts::from_dlpack<double, ts::shape<3, 4>>(std::move(tensor));
  EXPECT_EQ(y.id(), place);
  EXPECT_EQ(y.to_host(), v);
  auto const z = ts::from_dlpack<double, ts::shape<3, 4>>(ts::to_dlpack(y), ts::dlpack_copy::always);
  EXPECT_NE(z.id(), place);
  EXPECT_EQ(z.to_host(), v);
}

TEST(Dlpack, NothingIsLeftBehind) {
  auto const before = ts::memory_in_use().live_buffers;
  {
    auto x = ts::device_put(ts::host<3>(std::vector<float>{1, 2, 3}));
    auto const kept = ts::from_dlpack<float, ts::shape<3>>(ts::to_dlpack(std::move(x)));
    EXPECT_EQ(ts::memory_in_use().live_buffers, before + 1);
    auto* const raw = ts::to_dlpack(kept).release();  // as a capsule has it
    EXPECT_EQ((ts::from_dlpack<float, ts::shape<3>>(ts::dlpack_tensor(raw)).to_host()[2]), 3.0f);
  }
  EXPECT_EQ(ts::memory_in_use().live_buffers, before);
}

TEST(Dlpack, OnlyTheLastOwnerGivesWritableMemory) {
  auto x = ts::device_put(ts::host<3>(std::vector<float>{1, 2, 3}));
  auto const other = x;
  EXPECT_EQ(ts::to_dlpack(std::move(x))->flags, dl::read_only);
  auto own = other + 1;
  auto const place = own.id();
  auto const tensor = ts::to_dlpack(std::move(own));
  EXPECT_EQ(tensor->flags, 0u);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(tensor->tensor.data), place);
  // Before version 1 nothing could be read-only.
  EXPECT_NE(reinterpret_cast<std::uintptr_t>(ts::to_dlpack_unversioned(other)->tensor.data), other.id());
  auto last = other * 2;
  auto const unshared = last.id();
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(ts::to_dlpack_unversioned(std::move(last))->tensor.data), unshared);
}

template <class T>
void same_type(std::vector<T> const& v, dl::type_code code, int bits) {
  auto const tensor = ts::to_dlpack(ts::device_put(ts::host<2>(v)));
  EXPECT_EQ(tensor->tensor.type.code, code);
  EXPECT_EQ(tensor->tensor.type.bits, bits);
  auto const y = ts::from_dlpack<T, ts::shape<2>>(ts::to_dlpack_unversioned(ts::device_put(ts::host<2>(v))));
  EXPECT_TRUE(y.to_host()[1] == v[1]);
}
TEST(Dlpack, EveryElementType) {
  using enum dl::type_code;
  same_type<std::int8_t>({1, -2}, signed_int, 8);
  same_type<std::int64_t>({1, -2}, signed_int, 64);
  same_type<std::uint8_t>({1, 200}, unsigned_int, 8);
  same_type<std::uint32_t>({1, 4000000000u}, unsigned_int, 32);
  same_type<ts::float8_e4m3fn>({ts::float8_e4m3fn(1.0f), ts::float8_e4m3fn(2.5f)}, float8_e4m3fn, 8);
  same_type<ts::float8_e5m2>({ts::float8_e5m2(1.0f), ts::float8_e5m2(2.5f)}, float8_e5m2, 8);
  same_type<ts::float16>({ts::float16(1.0f), ts::float16(2.5f)}, floating, 16);
  same_type<ts::bfloat16>({ts::bfloat16(1.0f), ts::bfloat16(2.5f)}, bfloat, 16);
  same_type<double>({1, -2}, floating, 64);
  same_type<ts::complex64>({{1, 2}, {3, 4}}, complex, 64);
  auto const mask = ts::device_put(ts::host<2>(std::vector<float>{1, 3})) > 2.0f;
  EXPECT_EQ(ts::to_dlpack(mask)->tensor.type.code, boolean);
}

TEST(Dlpack, ADevicesBlock) {
  ONLY_ON_HOST();
  auto const x = put<ts::P<dp, mp>, 8, 4>(counted(32));
  auto const tensor = ts::to_dlpack(x.addressable_shards()[3]);
  EXPECT_EQ(tensor->tensor.extents[0], 2);
  EXPECT_EQ(static_cast<double const*>(tensor->tensor.data)[0], 10.0);
  EXPECT_THROW_TEXT(ts::to_dlpack(x), "is in 8 blocks, and a tensor is one");
  using loose = ts::mesh<ts::explicit_axis<dp, 2>, ts::uneven_axis<mp, 4>>;
  auto const uneven = ts::device_put<ts::P<dp, mp>>(ts::host<4, 6>(counted(24)), ts::make_mesh<loose>(ts::devices()));
  auto const last = ts::to_dlpack(uneven.addressable_shards()[2]);
  ASSERT_EQ(last->tensor.extents[1], 2);
  EXPECT_EQ(static_cast<double const*>(last->tensor.data)[3], 11.0);
}

TEST(Dlpack, OfOthersIsAdoptedOrCopied) {
  ONLY_ON_HOST();
  made_elsewhere rows(64 * 4, {64, 4}), columns(8 * 4, {8, 4}, {1, 8}), part(100, {4, 3}, {-10, 2}), none(0, {0, 4});
  auto const mesh = ts::make_mesh<grid>(ts::devices());
  {
    auto const x = ts::from_dlpack<ts::P<dp>, float, ts::shape<64, 4>>(rows.versioned(), mesh);
    EXPECT_EQ(reinterpret_cast<float const*>(x.id()), rows.values.data());
    EXPECT_EQ(rows.deleted, 0);
    auto const y = ts::from_dlpack<ts::P<dp>, float, ts::shape<ts::dynamic, 4>>(columns.versioned(), mesh);
    EXPECT_EQ(columns.deleted, 1);
    EXPECT_EQ(y.to_host()[1], 8.0f);
    auto tensor = part.give<ts::dlpack_tensor_unversioned>();
    tensor->tensor.byte_offset = 4 * 90;
    EXPECT_EQ((ts::from_dlpack<float, ts::shape<4, 3>>(std::move(tensor)).to_host()[4]), 82.0f);
    EXPECT_EQ(part.deleted, 1);
    EXPECT_EQ((ts::from_dlpack<float, ts::shape<0, 4>>(none.versioned()).size()), 0);
  }
  EXPECT_EQ(rows.deleted, 1);
}

TEST(Dlpack, WhatIsRefusedIsGivenBack) {
  ONLY_ON_HOST();
  using shape = ts::shape<8, 4>;
  made_elsewhere good(32, {8, 4}), columns(32, {8, 4}, {1, 8});
  auto const read = [&](auto change, auto&& how) {
    auto tensor = good.versioned();
    change(*tensor);
    return how(std::move(tensor));
  };
  auto const as_float = [](auto tensor) { return ts::from_dlpack<float, shape>(std::move(tensor)); };
  auto const refused = [&](auto change) { return [=] { return read(change, as_float); }; };
  EXPECT_THROW_TEXT((ts::from_dlpack<double, shape>(good.versioned())),
                    "elements are float32, and float64 was asked for");
  EXPECT_THROW_TEXT((ts::from_dlpack<float, ts::shape<4, 8>>(good.versioned())),
                    "has extents (8, 4), and (4, 8) was asked");
  EXPECT_THROW_TEXT((ts::from_dlpack<float, shape>(columns.versioned(), ts::dlpack_copy::never)), "has steps (1, 8)");
  EXPECT_THROW_TEXT((ts::from_dlpack<float, shape>(ts::dlpack_tensor())), "no tensor was given");
  EXPECT_THROW_TEXT(refused([](auto& t) { t.version.major = 2; })(), "is of DLPack 2.0");
  EXPECT_THROW_TEXT(refused([](auto& t) { t.tensor.device.type = dl::cuda; })(), "on a device of kind 2");
  EXPECT_THROW_TEXT(refused([](auto& t) { t.tensor.type.lanes = 4; })(), "are float32 x4");
  EXPECT_THROW_TEXT(refused([](auto& t) { t.tensor.type.code = static_cast<dl::type_code>(99); })(), "code 99");
  EXPECT_THROW_TEXT(refused([](auto& t) { t.tensor.rank = 9; })(), "has 9 dimensions");
  EXPECT_THROW_TEXT(refused([](auto& t) { t.tensor.rank = -1; })(), "has -1 dimensions");
  EXPECT_THROW_TEXT(refused([](auto& t) { t.tensor.extents = nullptr; })(), "has 2 dimensions");
  EXPECT_THROW_TEXT(refused([](auto& t) { t.tensor.data = nullptr; })(), "is a null pointer");
  EXPECT_THROW_TEXT(refused([](auto& t) { t.tensor.byte_offset = 2; })(), "is no place of a float32");
  std::int64_t huge[]{std::int64_t{1} << 61, 4}, negative[]{-8, 4}, far[]{std::numeric_limits<std::int64_t>::min(), 1};
  EXPECT_THROW_TEXT(refused([&](auto& t) { t.tensor.extents = huge; })(), "which no memory has");
  EXPECT_THROW_TEXT(refused([&](auto& t) { t.tensor.extents = negative; })(), "which no memory has");
  EXPECT_THROW_TEXT(refused([&](auto& t) { t.tensor.steps = far; })(), "reach farther than memory");
  EXPECT_EQ(good.deleted, 14);
  EXPECT_EQ(columns.deleted, 1);
}

}  // namespace
