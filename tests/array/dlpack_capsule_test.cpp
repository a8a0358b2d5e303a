// SPDX-License-Identifier: Apache-2.0
// Tensors in capsules and out of them, with capsules that are no Python's: named pointers that do as its C API says.
// tests/interop/dlpack_python.py has real ones.

#include <tessera/python.hpp>
#include <tessera/tessera.hpp>

#include "support/throws.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

struct _object {
  void* pointer;
  std::string name;
  void (*destructor)(_object*);
  ~_object() { destructor(this); }
};
extern "C" {
_object* PyCapsule_New(void* pointer, char const* name, void (*destructor)(_object*)) {
  return new _object{pointer, name, destructor};
}
void* PyCapsule_GetPointer(_object* capsule, char const*) { return capsule->pointer; }
int PyCapsule_IsValid(_object* capsule, char const* name) { return capsule && capsule->name == name; }
int PyCapsule_SetName(_object* capsule, char const* name) { return capsule->name = name, 0; }
}

namespace {

namespace ts = tessera;
using capsule = std::unique_ptr<_object>;

auto some() { return ts::device_put(ts::host<2, 3>(std::vector<float>{0, 1, 2, 3, 4, 5})); }

TEST(dlpack_capsule, there_and_back) {
  auto const before = ts::memory_in_use().live_buffers;
  {
    auto const x = some();
    capsule const c(ts::to_capsule(ts::to_dlpack(x)));
    EXPECT_EQ(c->name, "dltensor_versioned");
    auto tensor = ts::from_capsule(c.get());
    EXPECT_EQ(c->name, "used_dltensor_versioned");
    EXPECT_EQ(tensor->flags, ts::dlpack::read_only);
    auto const back = ts::from_dlpack<float, ts::shape<2, 3>>(std::move(tensor));
    EXPECT_EQ(ts::memory_in_use().live_buffers, before + 1);
    EXPECT_EQ(back.to_host()[5], 5);
    EXPECT_THROW_TEXT(ts::from_capsule(c.get()), "taken before");
  }
  EXPECT_EQ(ts::memory_in_use().live_buffers, before);
}
TEST(dlpack_capsule, of_those_who_know_no_version) {
  auto const before = ts::memory_in_use().live_buffers;
  capsule c(ts::to_capsule(ts::to_dlpack_unversioned(some())));
  EXPECT_EQ(c->name, "dltensor");
  {
    auto const back = ts::from_dlpack<float, ts::shape<2, 3>>(ts::from_capsule(c.get()));
    EXPECT_EQ(c->name, "used_dltensor");
    c.reset();
    EXPECT_EQ(back.to_host()[4], 4);
    EXPECT_EQ(ts::memory_in_use().live_buffers, before + 1);
  }
  EXPECT_EQ(ts::memory_in_use().live_buffers, before);
}
TEST(dlpack_capsule, that_nobody_takes) {
  auto const before = ts::memory_in_use().live_buffers;
  capsule one(ts::to_capsule(ts::to_dlpack(some()))), other(ts::to_capsule(ts::to_dlpack_unversioned(some())));
  EXPECT_EQ(ts::memory_in_use().live_buffers, before + 2);
  one.reset();
  other.reset();
  EXPECT_EQ(ts::memory_in_use().live_buffers, before);
}

}  // namespace
