// SPDX-License-Identifier: Apache-2.0
// Products, convolutions and matrix factors in every layout.

#include "support/every_layout.hpp"
#include "support/oracle/factorize.hpp"
#include "support/oracle/windows.hpp"

#include <algorithm>

namespace {

using namespace layouts;
using size = std::int64_t;
using shape = extents (*)(size);

// f(x, y) of two arrays, without and with out_sharding.
template <class Op, class F>
void two(shape left, shape right, F f, ts::attributes const& attrs = {}, bool takes_out = true) {
  for (bool out : {false, true}) {
    if (out && !takes_out) continue;
    every_layout<Op>([&](size n) {
      return test{.inputs = {f64(left(n), -1, 1), f64(right(n), -1, 1)},
                  .attrs = attrs,
                  .dense = dense(f),
                  .tolerance = 1e-11,
                  .out_sharding = out};
    });
  }
}
extents line(size n) { return {n}; }
extents square(size n) { return {n, n}; }
extents wide(size n) { return {n, 2 * n}; }
extents tall(size n) { return {2 * n, n}; }
extents cube(size n) { return {n, n, 2}; }
auto named(char const* text) {
  return [text](tensor const& x, tensor const& y) { return oracle::einsum(text, x, y); };
}

TEST(product_layouts, dot_general) {
  two<ops::dot_general>(wide, tall, named("ik,kj->ij"), ts::dot_params{{1}, {0}, {}, {}});
  two<ops::dot_general>(wide, wide, named("ik,jk->ij"), ts::dot_params{{1}, {1}, {}, {}});
  two<ops::dot_general>(tall, tall, named("ki,kj->ij"), ts::dot_params{{0}, {0}, {}, {}});
  two<ops::dot_general>(wide, wide, named("ij,ij->"), ts::dot_params{{0, 1}, {0, 1}, {}, {}});
  two<ops::dot_general>(line, line, named("i,j->ij"), {});
  two<ops::dot_general>(square, square, named("bi,bi->b"), ts::dot_params{{1}, {1}, {0}, {0}});
  two<ops::dot_general>(square, square, named("bi,cb->bic"), ts::dot_params{{}, {}, {0}, {1}});
  for (bool out : {false, true})
    every_layout<ops::dot_general>([out](size n) {
      return test{.inputs = {f64({n, n, n}, -1, 1), f64({n, n}, -1, 1)},
                  .attrs = ts::dot_params{{2}, {1}, {0}, {0}},
                  .dense = dense(named("bik,bk->bi")),
                  .tolerance = 1e-11,
                  .out_sharding = out};
    });
  every_layout<ops::dot_general>([](size n) {
    return test{.inputs = {f64({n, n, n}, -1, 1), f64({n, n, n}, -1, 1)},
                .attrs = ts::dot_params{{2}, {1}, {0}, {0}},
                .dense = dense(named("bik,bkj->bij")),
                .tolerance = 1e-11};
  });
  every_layout<ops::preferred_dot<double>>([](size n) {
    return test{.inputs = {f32({n, n}, -1, 1), f32({n, n}, -1, 1)},
                .attrs = ts::dot_params{{1}, {0}, {}, {}},
                .dense = dense(named("ik,kj->ij")),
                .tolerance = 1e-11};
  });
}

TEST(product_layouts, matmul) {
  every_layout<ops::preferring<ops::matmul, ops::matmul_by, double>>([](size n) {
    return test{
        .inputs = {f32({n, n}, -1, 1), f32({n, n}, -1, 1)}, .dense = dense(named("ik,kj->ij")), .tolerance = 1e-11};
  });
  auto const product = [](tensor const& x, tensor const& y) { return oracle::matmul(x, y); };
  two<ops::matmul>(wide, tall, product);
  two<ops::matmul>(line, square, product);
  two<ops::matmul>(square, line, product);
  two<ops::matmul>(line, line, product);
  two<ops::matmul>(
      cube,
      [](size n) {
        return extents{2, n};
      },
      product, {}, false);
  two<ops::matmul>(
      square,
      [](size n) {
        return extents{n, n, 2};
      },
      product, {}, false);
  two<ops::matmul>(
      [](size n) {
        return extents{n, n, n};
      },
      [](size n) {
        return extents{n, n, n};
      },
      product, {}, false);
  two<ops::matmul>(
      [](size n) {
        return extents{n, 2, n};
      },
      [](size n) {
        return extents{1, n, n};
      },
      product, {}, false);
}

TEST(product_layouts, by_their_names) {
  auto const dot = [](tensor const& x, tensor const& y) { return oracle::matmul(x, y); };
  two<ops::dot>(wide, tall, dot);
  two<ops::dot>(square, line, dot);
  two<ops::dot>(
      square,
      [](size n) {
        return extents{n, n, 2};
      },
      named("ik,jkl->ijl"), {}, false);
  two<ops::vdot>(wide, wide, named("ij,ij->"), {}, false);
  two<ops::inner>(wide, wide, named("ik,jk->ij"));
  two<ops::inner>(line, line, named("i,i->"));
  two<ops::outer>(
      line, [](size n) { return extents{2 * n}; }, named("i,j->ij"), {}, false);
  two<ops::outer>(
      square, line,
      [](tensor const& x, tensor const& y) { return oracle::einsum("i,j->ij", oracle::reshape(x, {x.size()}), y); }, {},
      false);
  two<ops::tensordot>(wide, tall, named("ik,kj->ij"), ops::tensordot_params{1});
  two<ops::tensordot>(
      cube,
      [](size n) {
        return extents{n, 2, n};
      },
      named("ijk,jkl->il"), ops::tensordot_params{2}, false);
  two<ops::tensordot>(line, line, named("i,j->ij"), ops::tensordot_params{0});
  two<ops::vecdot>(square, square, named("ik,ik->i"));
  two<ops::vecdot>(
      [](size n) {
        return extents{n, n, 2};
      },
      [](size n) {
        return extents{n, n, 2};
      },
      named("abk,abk->ab"), {}, false);
}

TEST(product_layouts, einsum) {
  two<ops::einsum<"ij,jk->ki">>(wide, tall, named("ij,jk->ki"));
  two<ops::einsum<"bij,bj->bi">>(
      cube,
      [](size n) {
        return extents{n, 2};
      },
      named("bij,bj->bi"), {}, false);
  two<ops::einsum<"ij,ij">>(square, square, named("ij,ij"));
  of_extents<ops::einsum<"ijk->kj">>(
      cube, [](size) { return ts::attributes{}; }, [](tensor const& x, size) { return oracle::einsum("ijk->kj", {x}); },
      false);
  for (bool out : {false, true}) {
    of_extents<ops::einsum<"ijk->jk">>(  // asked is what is summed, before it is transposed
        cube, [](size) { return ts::attributes{}; },
        [](tensor const& x, size) { return oracle::einsum("ijk->jk", {x}); }, out);
    every_layout<ops::einsum<"ij,jk,k->i">>([out](size n) {
      return test{.inputs = {f64({n, n}, -1, 1), f64({n, n}, -1, 1), f64({n}, -1, 1)},
                  .dense = dense([](tensors const& x) { return oracle::einsum("ij,jk,k->i", x); }),
                  .tolerance = 1e-11,
                  .out_sharding = out};
    });
  }
}

#ifndef TESSERA_BY_DAY
TEST(product_layouts, conv) {
  auto const how = [](ops::window_padding p, size groups = 1, size stride = 1) {
    ops::conv_params asked;
    asked.strides = {stride, stride, 1};
    asked.padding = p;
    asked.groups = groups;
    return asked;
  };
  for (bool out : {false, true}) {
    every_layout<ops::conv>([&](size n) {  // one dimension: rank 3
      auto const want = [](tensor const& x, tensor const& k) { return oracle::conv(x, k, {{1}, {1}, {1}}); };
      return test{.inputs = {f64({n, n, n}, -1, 1), f64({n, n, 3}, -1, 1)},
                  .attrs = how(ops::window_padding::same),
                  .dense = dense(want),
                  .gradient = !out || n == 4,
                  .tolerance = 1e-11,
                  .out_sharding = out};
    });
  }
  every_layout<ops::conv>([&](size n) {
    auto const want = [](tensor const& x, tensor const& k) { return oracle::conv(x, k, {{2}, {0}, {0}, {}, 2}); };
    return test{.inputs = {f64({n, 4, 2 * n}, -1, 1), f64({2, 2, 2}, -1, 1)},
                .attrs = how(ops::window_padding::valid, 2, 2),
                .dense = dense(want),
                .tolerance = 1e-11};
  });
}

// Matrices far from singular; `lower`: of their lower triangle only.
input matrices(extents e, bool lower = false, bool even = false) {
  tensor x = oracle::scattered(e, -1, 1, 5);
  auto const n = static_cast<std::size_t>(e.back()), rows = static_cast<std::size_t>(e[e.size() - 2]);
  for (std::size_t i = 0; i < x.data.size(); ++i) {
    std::size_t const column = i % n, row = i / n % rows;
    if (column == row) x.data[i] += static_cast<double>(n) + (even ? static_cast<double>(3 * row) : 0);
    if (lower && column > row) x.data[i] = 0;
  }
  return given(dtype::float64, x);
}
// f(row, column, matrix by (row, column)) for each matrix of the last two dimensions.
template <class F>
tensor each_matrix(tensor const& x, extents const& result, F f) {
  auto const rows = x.extents[x.extents.size() - 2], columns = x.extents.back();
  extents e(x.extents.begin(), x.extents.end() - 2);
  std::size_t const batch = static_cast<std::size_t>(oracle::product(e));
  e.insert(e.end(), result.begin(), result.end());
  tensor y = oracle::zeros(e);
  auto const in = static_cast<std::size_t>(rows * columns), out = y.data.size() / batch;
  for (std::size_t b = 0; b < batch; ++b) {
    tensor const one({rows, columns}, {x.data.begin() + static_cast<std::ptrdiff_t>(b * in),
                                       x.data.begin() + static_cast<std::ptrdiff_t>((b + 1) * in)});
    tensor const made = f(one);
    std::copy(made.data.begin(), made.data.end(), y.data.begin() + static_cast<std::ptrdiff_t>(b * out));
  }
  return y;
}
// By elimination with the largest pivot.
tensor inverse(tensor const& a) {
  auto const n = a.extents[0];
  tensor left = a, right = oracle::generate({n, n}, [](oracle::ints const&at) { return double(at[0] == at[1]); });
  for (size c = 0; c < n; ++c) {
    size pivot = c;
    for (size r = c; r < n; ++r)
      if (std::fabs(left[{r, c}]) > std::fabs(left[{pivot, c}])) pivot = r;
    for (size k = 0; k < n; ++k) {
      std::swap(left[{c, k}], left[{pivot, k}]);
      std::swap(right[{c, k}], right[{pivot, k}]);
    }
    double const by = left[{c, c}];
    for (size k = 0; k < n; ++k) {
      left[{c, k}] /= by;
      right[{c, k}] /= by;
    }
    for (size r = 0; r < n; ++r) {
      double const times = left[{r, c}];
      if (r == c || times == 0) continue;
      for (size k = 0; k < n; ++k) {
        left[{r, k}] -= times * left[{c, k}];
        right[{r, k}] -= times * right[{c, k}];
      }
    }
  }
  return right;
}
tensor symmetric(tensor const& a) { return (a + oracle::transpose(a)) / 2; }
tensor cholesky(tensor const& given) {
  tensor const a = symmetric(given);
  auto const n = a.extents[0];
  tensor l = oracle::zeros({n, n});
  for (size i = 0; i < n; ++i)
    for (size j = 0; j <= i; ++j) {
      double rest = a[{i, j}];
      for (size k = 0; k < j; ++k) rest -= l[{i, k}] * l[{j, k}];
      l[{i, j}] = i == j ? std::sqrt(rest) : rest / l[{j, j}];
    }
  return l;
}
// Jacobi's rotations: eigenvalues ascending, and vectors in columns.
std::pair<tensor, tensor> eigen(tensor const& given) {
  tensor a = symmetric(given);
  auto const n = a.extents[0];
  tensor v = oracle::generate({n, n}, [](oracle::ints const& at) { return double(at[0] == at[1]); });
  for (int sweep = 0; sweep < 60; ++sweep)
    for (size p = 0; p < n; ++p)
      for (size q = p + 1; q < n; ++q) {
        if (std::fabs(a[{p, q}]) < 1e-300) continue;
        double const angle = 0.5 * std::atan2(2 * a[{p, q}], a[{q, q}] - a[{p, p}]);
        double const c = std::cos(angle), s = std::sin(angle);
        tensor turn = oracle::generate({n, n}, [](oracle::ints const& at) { return double(at[0] == at[1]); });
        turn[{p, p}] = turn[{q, q}] = c;
        turn[{p, q}] = s;
        turn[{q, p}] = -s;
        a = oracle::matmul(oracle::matmul(oracle::transpose(turn), a), turn);
        v = oracle::matmul(v, turn);
      }
  std::vector<size> order;
  for (size i = 0; i < n; ++i) order.push_back(i);
  std::sort(order.begin(), order.end(), [&](size i, size j) { return a[{i, i}] < a[{j, j}]; });
  return {oracle::generate({n},
                           [&](oracle::ints const& at) {
                             size const i = order[at[0]];
                             return a[{i, i}];
                           }),
          oracle::generate({n, n}, [&](oracle::ints const& at) {
            return v[{at[0], order[at[1]]}];
          })};
}

TEST(product_layouts, matrices) {
  auto const of = [](auto op, extents const& result, auto f, bool gradient = true, double tolerance = 1e-10) {
    every_layout<decltype(op)>([&](size n) {
      return test{.inputs = {matrices({2 * n, 3, 3}, false, true)},
                  .dense = dense([=](tensor const& x) { return each_matrix(x, result, f); }),
                  .gradient = gradient,
                  .tolerance = tolerance};
    });
    every_layout<decltype(op)>([&](size) {
      return test{.inputs = {matrices({6, 6}, false, true)},
                  .dense = dense([=](tensor const& x) {
                    extents big = result;
                    for (auto& e : big) e = 6;
                    return each_matrix(x, big, f);
                  }),
                  .gradient = gradient,
                  .tolerance = tolerance};
    });
  };
  of(ops::cholesky{}, {3, 3}, cholesky);
  of(ops::inv{}, {3, 3}, inverse);
  of(ops::qr{}, {3, 3}, [](tensor const& a) { return oracle::qr(a).first; });
  of(ops::part<ops::qr, 1>{}, {3, 3}, [](tensor const& a) { return oracle::qr(a).second; });
  of(ops::eigh<0>{}, {3}, [](tensor const& a) { return eigen(a).first; });
}

// Signs of eigenvectors and the order of pivots are the algorithm's own: what they are made of is compared.
struct rebuilt_from_eigen {
  static constexpr std::string_view name = "eigh";
  static constexpr ts::op_class kind = ts::op_class::opaque;
  template <class B>
  static constexpr ts::term build(B& b, ts::term const* x, int, ts::attributes const&) {
    ts::term const w = b.template make<ops::eigh<0>>({x[0]}), v = b.template make<ops::eigh<1>>({x[0]});
    if (!w || !v) return {&b, -1};
    ops::expand_dims_params row{{-2}};
    ts::term const scaled =
        b.template make<ops::multiply>({v, b.template make<ops::exp>({b.template make<ops::expand_dims>({w}, row)})});
    return ops::product_of(b, scaled, ops::turned(b, v));
  }
};
struct rebuilt_from_lu {
  static constexpr std::string_view name = "lu";
  static constexpr ts::op_class kind = ts::op_class::opaque;
  template <class B>
  static constexpr ts::term build(B& b, ts::term const* x, int, ts::attributes const&) {
    ts::term const factors = b.template make<ops::lu>({x[0]}), pivots = b.template make<ops::part<ops::lu, 1>>({x[0]}),
                   order = b.template make<ops::part<ops::lu, 2>>({x[0]});
    if (!factors || !pivots || !order) return {&b, -1};
    ops::diagonal_params const below{-1};
    ts::term const upper = b.template make<ops::triu>({factors}), lower = b.template make<ops::tril>({factors}, below);
    ts::term const product = b.template make<ops::add>({ops::product_of(b, lower, upper), upper});
    // Of matrices that need no exchange, pivots and order are 0, 1, 2, ...
    ts::iota_params count{dtype::int32, 0, {3}};
    ts::term const places = b.template make<ops::iota>({}, count);
    ts::cast_params const to{dtype::float64};
    ts::term wrong = b.template make<ops::cast>(
        {b.template make<ops::add>(
            {b.template make<ops::absolute>({b.template make<ops::subtract>({pivots, places})}),
             b.template make<ops::absolute>({b.template make<ops::subtract>({order, places})})})},
        to);
    ops::expand_dims_params row{{-2}};
    return b.template make<ops::add>({product, b.template make<ops::expand_dims>({wrong}, row)});
  }
};

TEST(product_layouts, factors) {
  every_layout<rebuilt_from_eigen>([](size n) {
    auto const want = [](tensor const& x) {
      return each_matrix(x, {3, 3}, [](tensor const& a) {
        tensor power = oracle::generate({3, 3}, [](oracle::ints const&at) { return double(at[0] == at[1]); }),
               sum = power;
        for (int k = 1; k < 80; ++k) {
          power = oracle::matmul(power, symmetric(a)) / k;
          sum = sum + power;
        }
        return sum;
      });
    };
    input x = matrices({n, 3, 3}, false, true);
    for (double& v : x.values) v /= 8;
    return test{.inputs = {x}, .dense = dense(want), .tolerance = 1e-9};
  });
  every_layout<rebuilt_from_lu>([](size n) {
    return test{.inputs = {matrices({n, 3, 3}, false, true)},
                .dense = dense([](tensor const& x) { return x; }),
                .tolerance = 1e-10};
  });
}

// Singular values of definite matrices are their eigenvalues, descending.
struct rebuilt_from_svd {
  static constexpr std::string_view name = "svd";
  static constexpr ts::op_class kind = ts::op_class::opaque;
  template <class B>
  static constexpr ts::term build(B& b, ts::term const* x, int, ts::attributes const&) {
    ts::attributes const reduced = ops::svd_params{false};
    ts::term const u = b.template make<ops::svd>({x[0]}, reduced),
                   s = b.template make<ops::part<ops::svd, 1>>({x[0]}, reduced),
                   vt = b.template make<ops::part<ops::svd, 2>>({x[0]}, reduced);
    if (!u || !s || !vt) return {&b, -1};
    ops::expand_dims_params row{{-2}};
    ts::term const scaled = b.template make<ops::multiply>({u, b.template make<ops::expand_dims>({s}, row)});
    return ops::product_of(b, scaled, vt);
  }
};
TEST(product_layouts, singular_values) {
  auto const of = []<class Op>(Op, extents const& result, auto f, ts::attributes const& attrs = {},
                               double near = 1e-9) {
    every_layout<Op>([&](size n) {
      return test{.inputs = {matrices({2 * n, 3, 3}, false, true)},
                  .attrs = attrs,
                  .dense = dense([=](tensor const& x) { return each_matrix(x, result, f); }),
                  .tolerance = near};
    });
  };
  auto const gram = [](tensor const& a) { return eigen(oracle::matmul(oracle::transpose(a), a)).first; };
  auto const value = [=](tensor const& a, size k) {  // the k-th from the smallest
    return std::sqrt(gram(a)[{k}]);
  };
  auto const number = [](double v) { return tensor({}, {v}); };
  of(rebuilt_from_svd{}, {3, 3}, [](tensor const& a) { return a; });
  of(ops::svdvals{}, {3}, [=](tensor const& a) {
    return oracle::generate({3}, [&](oracle::ints const& at) { return value(a, 2 - at[0]); });
  });
  of(ops::pinv{}, {3, 3}, inverse);
  of(ops::condition_number{}, {}, [=](tensor const& a) { return number(value(a, 2) / value(a, 0)); });
  of(
      ops::matrix_norm{}, {}, [=](tensor const& a) { return number(value(a, 2)); },
      ops::norm_order_params{ts::norm_order::two});
  of(ops::matrix_norm{}, {}, [=](tensor const& a) { return oracle::sqrt(oracle::sum(a * a)); });
  every_layout<ops::matrix_rank>([](size n) {
    return test{.inputs = {matrices({2 * n, 3, 3}, false, true)},
                .dense = dense([](tensor const& x) { return oracle::zeros({x.extents[0]}) + 3; }),
                .gradient = false};
  });
  every_layout<ops::lstsq<0>>([](size n) {
    return test{.inputs = {matrices({n, 3, 3}, false, true), f64({n, 3, 2})},
                .dense = dense([](tensor const& a, tensor const& b) {
                  tensor const all = each_matrix(a, {3, 3}, inverse);
                  return oracle::einsum("bij,bjk->bik", {all, b});
                }),
                .tolerance = 1e-9};
  });
}

TEST(product_layouts, solutions) {
  auto const times = [](tensor const& a, tensor const& b) { return oracle::matmul(a, b); };
  auto const each_pair = [=](tensor const& a, tensor const& b, auto f) {
    extents const rest(b.extents.end() - 2, b.extents.end());
    std::vector<tensor> made;
    auto const batch = static_cast<size>(a.extents.size() == 2 ? 1 : a.extents[0]);
    tensor y = b;
    auto const na = a.size() / batch, nb = b.size() / batch;
    for (size i = 0; i < batch; ++i) {
      tensor const l({a.extents[a.extents.size() - 2], a.extents.back()},
                     {a.data.begin() + i * na, a.data.begin() + (i + 1) * na}),
          r(rest, {b.data.begin() + i * nb, b.data.begin() + (i + 1) * nb});
      tensor const x = f(l, r);
      std::copy(x.data.begin(), x.data.end(), y.data.begin() + i * nb);
    }
    return y;
  };
  auto const solved = [=](tensor const& a, tensor const& b) {
    if (b.extents.size() + 1 == a.extents.size()) {
      tensor column = b;
      column.extents.push_back(1);
      tensor y = each_pair(a, column, [=](tensor const& l, tensor const& r) { return times(inverse(l), r); });
      y.extents.pop_back();
      return y;
    }
    return each_pair(a, b, [=](tensor const& l, tensor const& r) { return times(inverse(l), r); });
  };
  for (int vector = 0; vector < 2; ++vector)
    every_layout<ops::solve>([&](size n) {
      return test{.inputs = {matrices({n, 3, 3}), f64(vector ? extents{n, 3} : extents{n, 3, 2})},
                  .dense = dense(solved),
                  .tolerance = 1e-10};
    });
  every_layout<ops::solve_matrices>([&](size n) {
    return test{.inputs = {matrices({n, n}), f64({n, 2})}, .dense = dense(solved), .tolerance = 1e-10};
  });
  for (int how = 0; how < 16; ++how)
    every_layout<ops::triangular_solve>([&](size n) {
      bool const left = how & 1, lower = how & 2, turned = how & 4, unit = how & 8;
      auto const want = [=](tensor const& a, tensor const& b) {
        return each_pair(a, b, [=](tensor const& l, tensor const& r) {
          tensor t = oracle::generate(l.extents, [&](oracle::ints const& at) {
            if (at[0] == at[1] && unit) return 1.0;
            return (lower ? at[0] >= at[1] : at[0] <= at[1]) ? l[at] : 0.0;
          });
          if (turned) t = oracle::transpose(t);
          return left ? times(inverse(t), r) : times(r, inverse(t));
        });
      };
      return test{.inputs = {matrices({n, 3, 3}), f64(left ? extents{n, 3, 2} : extents{n, 2, 3})},
                  .attrs = ops::triangular_params{left, lower, turned, unit},
                  .dense = dense(want),
                  .tolerance = 1e-10};
    });
}

// What eig, schur and sqrtm take apart, put together; the squares of eigenvalues add up to the trace of a a.
template <class B>
ts::term adjoint(B& b, ts::term q) {
  return ops::turned(b, b.template make<ops::conj>({q}));
}
struct rebuilt_from_eig {
  static constexpr std::string_view name = "eig";
  static constexpr ts::op_class kind = ts::op_class::opaque;
  template <class B>
  static constexpr ts::term build(B& b, ts::term const* x, int, ts::attributes const&) {
    ts::term const w = b.template make<ops::eig>({x[0]}), v = b.template make<ops::part<ops::eig, 1>>({x[0]});
    if (!w || !v) return {&b, -1};
    ops::expand_dims_params row{{-2}};
    ts::term const scaled = b.template make<ops::multiply>({v, b.template make<ops::expand_dims>({w}, row)});
    return b.template make<ops::real>({ops::product_of(b, scaled, b.template make<ops::inv>({v}))});
  }
};
template <class Values>
struct squares_of {
  static constexpr std::string_view name = Values::name;
  static constexpr ts::op_class kind = ts::op_class::opaque;
  template <class B>
  static constexpr ts::term build(B& b, ts::term const* x, int, ts::attributes const&) {
    ts::term const w = b.template make<Values>({x[0]});
    if (!w) return w;
    ts::reduce_params const last{{w.facts().rank - 1}};
    ts::term const square = b.template make<ops::multiply>({w, w});
    return b.template make<ops::reduce_sum>({b.template make<ops::real>({square})}, last);
  }
};
struct schur_is_right {
  static constexpr std::string_view name = "schur";
  static constexpr ts::op_class kind = ts::op_class::opaque;
  template <class B>
  static constexpr ts::term build(B& b, ts::term const* x, int, ts::attributes const&) {
    ts::term const t = b.template make<ops::schur>({x[0]}), q = b.template make<ops::part<ops::schur, 1>>({x[0]});
    if (!t || !q) return {&b, -1};
    ts::term const product = b.template make<ops::real>({ops::product_of(b, ops::product_of(b, q, t), adjoint(b, q))});
    ts::term const wrong = b.template make<ops::absolute>({product - x[0]});  // of bool: schur has no gradient
    return b.template make<ops::less>({wrong, ts::number(b, 1e-9, dtype::float64)});
  }
};
struct squared_sqrtm {
  static constexpr std::string_view name = "sqrtm";
  static constexpr ts::op_class kind = ts::op_class::opaque;
  template <class B>
  static constexpr ts::term build(B& b, ts::term const* x, int, ts::attributes const&) {
    ts::term const root = b.template make<ops::sqrtm>({x[0]});
    return root ? b.template make<ops::real>({ops::product_of(b, root, root)}) : root;
  }
};
struct sides_of_sylvester {
  static constexpr std::string_view name = "solve_sylvester";
  static constexpr ts::op_class kind = ts::op_class::opaque;
  template <class B>
  static constexpr ts::term build(B& b, ts::term const* x, int, ts::attributes const&) {
    ts::term const y = b.template make<ops::solve_sylvester>({x[0], x[1], x[2]});
    if (!y) return y;
    return b.template make<ops::add>({ops::product_of(b, x[0], y), ops::product_of(b, y, x[1])});
  }
};
TEST(product_layouts, eigenvalues) {
  auto const of = []<class Op>(Op, auto f, bool gradient) {
    every_layout<Op>([&](size n) {
      return test{
          .inputs = {matrices({n, 3, 3}, false, true)}, .dense = dense(f), .gradient = gradient, .tolerance = 1e-9};
    });
  };
  auto const itself = [](tensor const& x) { return x; };
  of(rebuilt_from_eig{}, itself, false);
  of(
      schur_is_right{}, [](tensor const& x) { return oracle::zeros(x.extents) + 1; }, false);
  of(squared_sqrtm{}, itself, true);
  auto const trace_of_square = [](tensor const& x) { return oracle::einsum("bij,bji->b", {x, x}); };
  of(squares_of<ops::eig>{}, trace_of_square, true);
  of(squares_of<ops::eigvals>{}, trace_of_square, true);
  every_layout<sides_of_sylvester>([](size n) {
    return test{.inputs = {matrices({n, 3, 3}, false, true), matrices({n, 3, 3}, false, true), f64({n, 3, 3})},
                .dense = dense([](tensor const&, tensor const&, tensor const& c) { return c; }),
                .tolerance = 1e-9};
  });
}
#endif

}  // namespace
