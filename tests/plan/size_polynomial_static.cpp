// SPDX-License-Identifier: Apache-2.0
#include <tessera/base/text.hpp>
#include <tessera/plan/sizes/size_polynomial.hpp>

namespace {
using namespace tessera;

constexpr size_names names{size_name{"dp"}, size_name{"mp"}, size_name{{}, 2, 1}};
constexpr size_term term(std::int64_t n, std::int64_t d, int dp, int mp, int rows) {
  size_term t{n, d, {}};
  t.powers[0] = static_cast<std::int8_t>(dp);
  t.powers[1] = static_cast<std::int8_t>(mp);
  t.powers[2] = static_cast<std::int8_t>(rows);
  return t;
}
constexpr size_polynomial of(std::initializer_list<size_term> terms) {
  size_polynomial p(names);
  for (auto const& t : terms) p.add(t);
  return p;
}
template <std::size_t N>
constexpr bool prints(size_polynomial const& p, char const (&text)[N]) {
  fixed_text<200> out;
  p.describe_to(out);
  return out.view() == std::string_view(text, N - 1);
}

static_assert(prints(of({}), "0"));
static_assert(prints(of({term(7, 1, 0, 0, 0)}), "7"));
static_assert(prints(of({term(1, 1, 0, 0, 1)}), "arg2.dim1"));
static_assert(prints(of({term(1, 1, -1, 0, 0)}), "1/dp"));
static_assert(prints(of({term(6, 4, -1, -1, 2), term(-3, 1, 1, 0, 0)}), "-3*dp + 3*arg2.dim1*arg2.dim1/(2*dp*mp)"));

// Like terms add; what cancels is gone; order does not matter.
static_assert(of({term(1, 2, 0, 1, 0), term(1, 2, 0, 1, 0)}) == of({term(1, 1, 0, 1, 0)}));
static_assert(of({term(5, 1, 1, 0, 0), term(2, 1, 0, 0, 1), term(-5, 1, 1, 0, 0)}) == of({term(2, 1, 0, 0, 1)}));
static_assert(of({term(1, 1, 1, 0, 0)}) + of({term(1, 1, 0, 0, 1)}) == of({term(1, 1, 0, 0, 1), term(1, 1, 1, 0, 0)}));
static_assert(of({}) == 0 && of({term(3, 1, 0, 0, 0)}) == 3 && !(of({term(3, 1, 0, 0, 1)}) == 3));

// law: at(sizes) of a sum is the sum of what its terms give, rounded up once.
static_assert(of({term(6, 4, -1, -1, 2), term(-3, 1, 1, 0, 0)}).at({2, 3, 8}) == 10);
static_assert(of({term(1, 2, 0, 0, 0), term(1, 2, -1, 0, 0)}).at({2, 1, 1}) == 1);
static_assert(of({}).at({}) == 0);

}  // namespace
