// SPDX-License-Identifier: Apache-2.0
#pragma once
// The whole oracle: dense arrays, every op and every collective the obvious way.

#include "support/oracle/binary.hpp"
#include "support/oracle/broadcast.hpp"
#include "support/oracle/cast.hpp"
#include "support/oracle/collectives.hpp"
#include "support/oracle/compare.hpp"
#include "support/oracle/contract.hpp"
#include "support/oracle/gradient.hpp"
#include "support/oracle/mesh.hpp"
#include "support/oracle/movement.hpp"
#include "support/oracle/normalize.hpp"
#include "support/oracle/reduce.hpp"
#include "support/oracle/tensor.hpp"
#include "support/oracle/unary.hpp"
