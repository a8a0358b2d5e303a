// SPDX-License-Identifier: Apache-2.0
// einsum of one and of two operands: products, batches, sums, transposes and outer products, over layouts.

#include "support/op_case.hpp"

namespace {

using namespace op_case;
using oracle::tensor;

#define ONE(text)                                                                                                  \
  row {                                                                                                            \
    text, [](auto x) { return ts::einsum<text>(x); }, [](tensor const& x) { return oracle::einsum(text, {{x}}); }, \
        1e-5                                                                                                       \
  }
// What follows the text goes to einsum after the operands: where the result shall be.
#define TWO(text, ...)                                                                      \
  row {                                                                                     \
    text, [](auto x, auto y) { return ts::einsum<text>(x, y __VA_OPT__(, ) __VA_ARGS__); }, \
        [](tensor const& x, tensor const& y) { return oracle::einsum(text, x, y); }, 1e-5   \
  }

constexpr auto whole = ts::out_sharding<P<>>;
constexpr auto by_rows = ts::out_sharding<P<dp>>;
constexpr auto by_both = ts::out_sharding<P<mp, dp>>;

struct matrix {
  static constexpr auto rows = std::tuple{ONE("ij->ji"), ONE("ij->i"), ONE("ij->j"), ONE("ij->"), ONE("ij"), ONE("ji")};
};
struct cubic {
  static constexpr auto rows = std::tuple{ONE("ijk->kij"), ONE("ijk->kji"), ONE("ijk->ki"), ONE("ijk->j"), ONE("kij")};
};
struct matrices {
  static constexpr auto rows = std::tuple{TWO("ij,jk->ik"), TWO("ij,jk->ki"), TWO("ij,jk"),     TWO("ji,jk"),
                                          TWO("ij,kj->ik"), TWO("ij,jk->i"),  TWO("ij,kl->il"), TWO("ij,jk->k")};
};
struct together {
  static constexpr auto rows = std::tuple{TWO("ij,ij->ij"), TWO("ij,ij->ji")};
};
struct laid_out {
  static constexpr auto rows =
      std::tuple{TWO("ij,jk->ik", whole),   TWO("ij,jk->ik", by_rows), TWO("ij,jk->ki", by_rows),
                 TWO("ij,jk->ki", by_both), TWO("ij,ij->", whole),     TWO("ij,ij->i", by_rows),
                 TWO("ij,ij->j", whole),    TWO("ij,kj->ki", by_rows), TWO("ji,jk->ik", by_both)};
};
struct products {
  static constexpr auto rows = std::tuple{TWO("ij,jk->ik"), TWO("ij,jk->ki"), TWO("ij,jk"), TWO("ij,jk->i")};
};
struct outer {
  static constexpr auto rows = std::tuple{TWO("i,j->ij"), TWO("i,j->ji"), TWO("i,j->")};
};
struct vectors {
  static constexpr auto rows = std::tuple{TWO("i,j->ij"), TWO("i,j->ji"), TWO("i,j->"), TWO("i,i->i")};
};
struct scores {
  static constexpr auto rows = std::tuple{TWO("bshd,bthd->bhst"), TWO("bshd,bthd->bsht")};
};
struct mixed {
  static constexpr auto rows = std::tuple{TWO("bhst,bthd->bshd")};
};
struct of_one_each {  // an extent of 1 goes with any other
  static constexpr auto rows = std::tuple{TWO("ij,jk->ik"), TWO("ij,jk->jki"), TWO("ij,jk->"), TWO("ij,jk->ij")};
};
struct more {
  static constexpr auto rows =
      std::tuple{TWO("ijk,k->ij", whole), TWO("ijk,k->ji", whole), TWO("ijk,k->k", whole), TWO("ijk,k->", whole)};
};

TEST(einsum, of_one) {
  check<matrix, on<grid, P<dp, mp>>, jitted>(dense<float, 8, 4>(-1, 1));
  check<cubic, on<grid, P<dp, none, mp>>, interpreted>(dense<float, 4, 3, 2>(-1, 1));
  check<cubic, nowhere, interpreted>(dense<float, 4, 3, 2>(-1, 1));
}

TEST(einsum, of_matrices) {
  dense<float, 8, 8> const x(-1, 1), y(-1, 1, 7);
  check<matrices, nowhere, interpreted>(x, y);
  check<together, on<grid, P<dp, mp>, P<dp, mp>>, jitted>(x, y);
  check<together, on<cube, P<axes<a, c>>, P<axes<a, c>>>, interpreted>(x, y);
  check<products, on<grid, P<dp>, P<none, mp>>, jitted>(x, y);
  check<products, on<cube, P<axes<b, c>>, P<none, a>>, interpreted>(x, y);
}

TEST(einsum, where_both_sides_are_split) {
  dense<float, 8, 8> const x(-1, 1), y(-1, 1, 7);
  check<laid_out, on<grid, P<dp, mp>, P<dp, mp>>, jitted>(x, y);
  check<laid_out, on<grid, P<mp>, P<dp>>, interpreted>(x, y);
  check<laid_out, on<grid, P<axes<mp, dp>>, P<axes<mp, dp>>>, interpreted>(x, y);
}

#ifndef TESSERA_BY_DAY
TEST(einsum, of_vectors) {
  dense<float, 8> const x(-1, 1);
  check<vectors, nowhere, interpreted>(x, x);
  check<outer, on<grid, P<dp>, P<mp>>, interpreted>(x, x);
}

TEST(einsum, of_attention) {
  dense<float, 4, 6, 2, 3> const q(-1, 1), k(-1, 1, 3);
  check<scores, on<grid, P<dp, none, mp>, P<dp, none, mp>>, jitted>(q, k);
  check<scores, on<cube, P<a, c, b>, P<a, none, b>>, interpreted>(q, k);
  check<mixed, on<grid, P<dp, mp>, P<dp, none, mp>>, interpreted>(dense<float, 4, 2, 6, 6>(-1, 1), k);
}

TEST(einsum, of_different_ranks) {
  dense<float, 4, 6, 8> const x(-1, 1);
  dense<float, 8> const y(-1, 1, 3);
  check<more, on<grid, P<dp>, P<mp>>, interpreted>(x, y);
  check<more, on<grid, P<none, mp, dp>, P<dp>>, interpreted>(x, y);
}

TEST(einsum, stretches_extents_of_one) {
  dense<float, 8, 4> const x(-1, 1);
  dense<float, 1, 6> const y(-1, 1, 3);
  check<of_one_each, nowhere, jitted>(x, y);
  check<of_one_each, on<grid, P<dp, mp>, P<>>, interpreted>(x, y);
  check<of_one_each, on<grid, P<>, P<none, mp>>, interpreted>(dense<float, 8, 1>(-1, 1), dense<float, 4, 6>(-1, 1, 3));
}
#endif

}  // namespace
