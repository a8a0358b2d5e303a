// SPDX-License-Identifier: Apache-2.0
#pragma once
// The type level: meshes, specs, types, rules, tracing, gradients, plans and their cost. Needs Boost.Mp11 only;
// nothing here runs a program.

#include <tessera/aval/type_text.hpp>
#include <tessera/op/ops.hpp>
#include <tessera/plan/explain.hpp>
#include <tessera/plan/make_plan.hpp>
#include <tessera/trace/record.hpp>
#include <tessera/transform/grad.hpp>
