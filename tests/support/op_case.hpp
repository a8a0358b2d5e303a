// SPDX-License-Identifier: Apache-2.0
#pragma once
// Tables of ops, each row with the oracle's answer, run over meshes and layouts through every public door:
//   struct table {
//     static constexpr auto rows = std::tuple{row{"exp", [](auto x) { return ts::exp(x); }, oracle::exp}};
//   };
//   check<table, on<grid, P<dp, mp>>, jitted>(dense<float, 8, 4>(values));
// All rows of a table are one jitted function that returns a tuple.

#include <tessera/tessera.hpp>
#include <tessera/testing/dense_array.hpp>

#include "support/oracle/oracle.hpp"

#include <gtest/gtest.h>

#include <source_location>
#include <tuple>

namespace op_case {

namespace ts = tessera;

struct dp : ts::axis {};
struct mp : ts::axis {};
struct a : ts::axis {};
struct b : ts::axis {};
struct c : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;
using cube = ts::mesh<ts::explicit_axis<a, 2>, ts::explicit_axis<b, 2>, ts::explicit_axis<c, 2>>;
using ts::axes;
using ts::none;
using ts::P;

template <class Op, class Want>
struct row {
  char const* name;
  Op op;
  Want want;             // of the arguments as oracle tensors
  double tolerance = 0;  // 0: what the result's dtype allows
};
template <class Op, class Want>
row(char const*, Op, Want) -> row<Op, Want>;
template <class Op, class Want>
row(char const*, Op, Want, double) -> row<Op, Want>;

template <class T>
constexpr oracle::element oracle_element() {
  switch (ts::dtype_of<T>()) {
    case ts::dtype::boolean: return oracle::element::boolean;
    case ts::dtype::int32: return oracle::element::int32;
    case ts::dtype::int64: return oracle::element::int64;
    case ts::dtype::float16: return oracle::element::float16;
    case ts::dtype::bfloat16: return oracle::element::bfloat16;
    case ts::dtype::float32: return oracle::element::float32;
    default: return oracle::element::float64;
  }
}

// What is lost at most by one op that computes in T, or in float and is stored as T.
template <class T>
constexpr double accuracy() {
  switch (ts::dtype_of<T>()) {
    case ts::dtype::float16: return 1.0 / 1024;
    case ts::dtype::bfloat16: return 1.0 / 128;
    case ts::dtype::float32: return 2e-6;
    case ts::dtype::float64: return 1e-14;
    default: return 0;
  }
}

// An argument: values that T can hold, of static extents.
template <class T, std::int64_t... E>
struct dense {
  oracle::tensor values;
  explicit dense(oracle::tensor const& x) : values(oracle::cast(oracle::tensor({E...}, x.data), oracle_element<T>())) {}
  dense(double low, double high, unsigned seed = 1) : dense(oracle::scattered({E...}, low, high, seed)) {}

  auto stored() const {
    std::vector<std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>> out;
    for (double v : values.data) {
      if constexpr (ts::bytes_of(ts::dtype_of<T>()) == 2)
        out.push_back(T(static_cast<float>(v)));
      else
        out.push_back(static_cast<T>(v));
    }
    return out;
  }
  // Unsized: a type that does not say the extents. An extent of 1 stays: what broadcasts is known while compiling.
  template <bool Unsized = false>
  auto view(auto const& memory) const {
    constexpr ts::extents_list extents{E...};
    using shape = ts::shape<(Unsized && E != 1 ? ts::dynamic : E)...>;
    return ts::host_view<T, shape>{reinterpret_cast<T const*>(memory.data()), extents};
  }
};

// Where the arguments are: each one's layout on a mesh, or no mesh at all.
template <class Mesh, class... Layout>
struct on {};
struct nowhere {};

// The mesh type whose sizes are known only when the program starts.
template <class Mesh>
struct unsized_of;
template <template <class, std::int64_t> class... Kind, class... Axis, std::int64_t... Size>
struct unsized_of<ts::mesh<Kind<Axis, Size>...>> {
  using type = ts::mesh<Kind<Axis, ts::dynamic>...>;
};
template <bool Unsized, class Mesh>
auto devices_as() {
  if constexpr (Unsized) {
    ts::extents_list sizes;
    for (int a = 0; a < Mesh::rank; ++a) sizes.push_back(Mesh::value.size(a));
    return ts::make_mesh<typename unsized_of<Mesh>::type>(ts::devices(), sizes);
  } else {
    return ts::make_mesh<Mesh>(ts::devices());
  }
}

// What lies in the memory of an array's devices, element by element, and what to_host makes of it.
inline void expect_stored(ts::stored_array const& x, ts::mesh_value const& mesh, std::vector<double> const& want,
                          char const* what) {
  if (mesh.processes) return;  // other processes have the rest
  try {
    auto const got = ts::testing::detail::whole(x, mesh).values;
    ASSERT_EQ(got.size(), want.size()) << what;
    for (std::size_t i = 0; i < want.size(); ++i)
      ASSERT_TRUE(got[i] == want[i] || (std::isnan(got[i]) && std::isnan(want[i])))
          << what << ": element " << i << " lies as " << got[i] << ", not " << want[i];
  } catch (std::logic_error const& error) {
    ADD_FAILURE() << what << ": " << error.what();
  }
}

template <bool Unsized = false, class T, std::int64_t... E>
auto place(nowhere, dense<T, E...> const& x) {
  auto const memory = x.stored();
  return ts::device_put(x.template view<Unsized>(memory));
}
template <class Layout, bool Unsized = false, class Mesh, class T, std::int64_t... E>
auto place(Mesh const& mesh, dense<T, E...> const& x) {
  auto const memory = x.stored();
  auto put = ts::device_put<Layout>(x.template view<Unsized>(memory), mesh);
  expect_stored(put.stored(), mesh.value(), x.values.data, "device_put");
  return put;
}
template <bool Unsized = false, class... X>
auto place_all(nowhere, X const&... x) {
  return std::tuple{place<Unsized>(nowhere{}, x)...};
}
template <bool Unsized = false, class Mesh, class... Layout, class... X>
auto place_all(on<Mesh, Layout...>, X const&... x) {
  auto const mesh = devices_as<Unsized, Mesh>();
  if constexpr (sizeof...(Layout) == 1)
    return std::tuple{place<Layout..., Unsized>(mesh, x)...};  // one layout for all
  else
    return std::tuple{place<Layout, Unsized>(mesh, x)...};
}

template <class T>
oracle::tensor tensor_of(ts::host_array<T> const& x) {
  oracle::tensor out;
  for (auto e : x.shape()) out.extents.push_back(e);
  out.data.clear();
  for (auto const& v : x) out.data.push_back(static_cast<double>(v));
  return out;
}
template <class A>
oracle::tensor tensor_of(ts::array<A> const& x) {
  oracle::tensor const all = tensor_of(x.to_host());
  expect_stored(x.stored(), x.mesh().value(), all.data, "to_host");
  return all;
}

// All rows as one function.
template <class Table>
struct all_rows {
  constexpr auto operator()(auto... x) const {
    return std::apply([&](auto const&... r) { return std::make_tuple(r.op(x...)...); }, Table::rows);
  }
};

// The doors. Interpreted: no type says an extent or the size of a mesh axis, and nothing is compiled for the program.
// A table with rows that ask a type for an extent says `static constexpr bool sized = true`, and why.
template <class Table>
constexpr bool sized() {
  if constexpr (requires { Table::sized; })
    return Table::sized;
  else
    return false;
}
struct jitted {
  static constexpr char const* name = "jit";
  template <class>
  static constexpr bool unsized = false;
  template <class F>
  static auto run(auto const&... x) {
    return ts::jit<F>(x...);
  }
};
struct interpreted {
  static constexpr char const* name = "interpreted";
  template <class Table>
  static constexpr bool unsized = !sized<Table>();
  template <class F>
  static auto run(auto const&... x) {
    return ts::detail::run_jitted<F, false>(x...);
  }
};
struct eagerly {
  static constexpr char const* name = "eager";
  template <class>
  static constexpr bool unsized = false;
  template <class F>
  static auto run(auto const&... x) {
    return F{}(x...);
  }
};

// Not templates, as each would be compiled for every row.
inline void expect_near(oracle::tensor const& have, oracle::tensor const& want, double allowed,
                        std::string const& what) {
  EXPECT_LE(oracle::difference(have, want), allowed) << what << "\n  got  " << have << "\n  want " << want;
}
inline void expect_result(oracle::tensor const& have, oracle::tensor const& want, oracle::element element,
                          double tolerance, double accuracy, char const* name, std::string const& where) {
  expect_near(have, oracle::cast(want, element), tolerance > 0 ? tolerance : accuracy, std::string(name) + " " + where);
}

template <class Row, class A, class... X>
void expect_row(Row const& r, ts::array<A> const& got, std::string const& where, X const&... x) {
  using element = typename ts::array<A>::element;
  expect_result(tensor_of(got), oracle::tensor(r.want(x.values...)), oracle_element<element>(), r.tolerance,
                accuracy<element>(), r.name, where);
}

template <class Table, class Where, class Door, class... X>
void check(X const&... x) {
  auto const results = std::apply([](auto const&... y) { return Door::template run<all_rows<Table>>(y...); },
                                  place_all<Door::template unsized<Table>>(Where{}, x...));
  std::string const where = std::string(Door::name) + " on " + std::string(ts::type_name<Where>());
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (expect_row(std::get<I>(Table::rows), std::get<I>(results), where, x...), ...);
  }
  (std::make_index_sequence<std::tuple_size_v<decltype(Table::rows)>>{});
}

}  // namespace op_case
