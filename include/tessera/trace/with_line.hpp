// SPDX-License-Identifier: Apache-2.0
#pragma once
// The base of transformed functions: after a call f(x...), Self::at_line(site, x...) also gets the line of the call.

#include <tessera/graph/node.hpp>

namespace tessera::detail {

// One operator() per number of arguments, with the line as its last parameter.
template <class Self>
struct with_line {
  using here = std::source_location;
  constexpr auto operator()(site at = here::current()) const { return self().at_line(at); }
  template <class A>
  constexpr auto operator()(A const& a, site at = here::current()) const {
    return self().at_line(at, a);
  }
  template <class A, class B>
  constexpr auto operator()(A const& a, B const& b, site at = here::current()) const {
    return self().at_line(at, a, b);
  }
  template <class A, class B, class C>
  constexpr auto operator()(A const& a, B const& b, C const& c, site at = here::current()) const {
    return self().at_line(at, a, b, c);
  }
  template <class A, class B, class C, class D>
  constexpr auto operator()(A const& a, B const& b, C const& c, D const& d, site at = here::current()) const {
    return self().at_line(at, a, b, c, d);
  }
  template <class A, class B, class C, class D, class E>
  constexpr auto operator()(A const& a, B const& b, C const& c, D const& d, E const& e,
                            site at = here::current()) const {
    return self().at_line(at, a, b, c, d, e);
  }
  template <class A, class B, class C, class D, class E, class F>
  constexpr auto operator()(A const& a, B const& b, C const& c, D const& d, E const& e, F const& f,
                            site at = here::current()) const {
    return self().at_line(at, a, b, c, d, e, f);
  }
  template <class A, class B, class C, class D, class E, class F, class G>
  constexpr auto operator()(A const& a, B const& b, C const& c, D const& d, E const& e, F const& f, G const& g,
                            site at = here::current()) const {
    return self().at_line(at, a, b, c, d, e, f, g);
  }
  template <class A, class B, class C, class D, class E, class F, class G, class H>
  constexpr auto operator()(A const& a, B const& b, C const& c, D const& d, E const& e, F const& f, G const& g,
                            H const& h, site at = here::current()) const {
    return self().at_line(at, a, b, c, d, e, f, g, h);
  }
  template <class A, class B, class C, class D, class E, class F, class G, class H, class I>
  constexpr auto operator()(A const& a, B const& b, C const& c, D const& d, E const& e, F const& f, G const& g,
                            H const& h, I const& i, site at = here::current()) const {
    return self().at_line(at, a, b, c, d, e, f, g, h, i);
  }

private:
  // For nvcc, the value of a variable template is no constant if the variable is called in traced code.
  constexpr decltype(auto) self() const {
    if constexpr (requires { Self::is_variable_template; })
      return Self{};
    else
      return static_cast<Self const&>(*this);
  }
};

}  // namespace tessera::detail
