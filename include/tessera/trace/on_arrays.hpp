// SPDX-License-Identifier: Apache-2.0
#pragma once
// Calls on arrays, outside of traced code, run at once. The tracing stages use these two names; the api, which can run
// programs, defines them.

namespace tessera {

// One operation: api/eager.hpp. refused<X...> is the error if nothing can run, or void; run(site, x...) returns the
// result.
template <class Op, class Params>
struct eager;

// Function object F on values X: api/jit.hpp. refused::explain() reports why F does not accept them, or does nothing.
// It is called directly where F is called, since each call in between would add three lines to an error's text.
// run(x...) returns the result, or a poisoned one after a refusal; run_on<In, M>(x...) does so on the current mesh of
// type M, with x placed as In says.
template <class F, class... X>
struct run_traced;

}  // namespace tessera
