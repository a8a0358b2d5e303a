// SPDX-License-Identifier: Apache-2.0
#pragma once
// Every op, by family.

#include <tessera/op/create.hpp>
#include <tessera/op/effect.hpp>
#include <tessera/op/elementwise.hpp>
#include <tessera/op/index.hpp>
#include <tessera/op/linalg.hpp>
#include <tessera/op/product.hpp>
#include <tessera/op/random.hpp>
#include <tessera/op/reduce.hpp>
#include <tessera/op/shape.hpp>
#include <tessera/op/window.hpp>
