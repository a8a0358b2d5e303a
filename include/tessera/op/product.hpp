// SPDX-License-Identifier: Apache-2.0
#pragma once
// Products of arrays.

#include <tessera/op/product/attention.hpp>
#include <tessera/op/product/dot_general.hpp>
#include <tessera/op/product/einsum.hpp>
#include <tessera/op/product/matmul.hpp>
#include <tessera/op/product/products.hpp>
