// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is called on arrays, outside of traced code, runs at once. Stages that trace say so by these two names; the api, which
// can run programs, defines them.

namespace tessera {

// One operation: api/eager.hpp. refused<X...> is why nothing can run, or void; run(site, x...) gives the result.
template <class Op, class Params>
struct eager;

// Function object F on values X: api/jit.hpp. refused::explain() says why not, and nothing where F accepts them. It is called
// where F is: each call in between would be three more lines of an error's text. run(x...) gives the result, or after a
// refusal what stands for it; run_on<In, M>(x...) the same on the current mesh of type M, x put there as In says.
template <class F, class... X>
struct run_traced;

}  // namespace tessera
