// SPDX-License-Identifier: Apache-2.0
// nightly
// Stacks, diagonals, powers, determinants, frequencies, padding and complex numbers in every layout.

#include "support/every_layout.hpp"

#include <algorithm>

namespace {

using namespace layouts;
using size = std::int64_t;

extents line(size n) { return {n}; }
extents flat(size n) { return {n, 2 * n}; }
extents cube(size n) { return {n, 2 * n, n}; }

TEST(assembled_layouts, differences) {
  for (size d = 0; d < 3; ++d)
    of_extents<ops::diff>(
        cube,
        d == 0   ? +[](size) { return ts::attributes(ops::diff_params{0, 1}); }
        : d == 1 ? +[](size) { return ts::attributes(ops::diff_params{1, 1}); }
                 : +[](size) { return ts::attributes(ops::diff_params{-1, 2}); },
        [d](tensor x, size) {
          for (int times = d == 2 ? 2 : 1; times > 0; --times) {
            extents low(3, 0), high = x.extents;
            --high[std::size_t(d)];
            tensor const before = oracle::slice(x, low, high);
            ++low[std::size_t(d)], ++high[std::size_t(d)];
            x = oracle::slice(x, low, high) - before;
          }
          return x;
        });
}

TEST(assembled_layouts, grids) {
  for (size which : {0, 1})
    for (size by_matrix : {0, 1})
      every_layout<ops::meshgrid>([=](size n) {
        auto const want = [=](tensor const& x, tensor const& y) {
          extents const e = by_matrix ? extents{n, 2 * n} : extents{2 * n, n};
          return oracle::generate(e, [&](oracle::ints const& at) {
            return which == 0 ? x[{at[std::size_t(1 - by_matrix)]}] : y[{at[std::size_t(by_matrix)]}];
          });
        };
        return test{.inputs = {f64({n}), f64({2 * n})},
                    .attrs = ops::meshgrid_params{static_cast<int>(which), by_matrix == 1},
                    .dense = dense(want)};
      });
}

template <ops::stacking How>
void stacks(extents (*shape)(size), extents (*as)(size), size along) {
  every_layout<ops::stack_as<How>>([=](size n) {
    return test{.inputs = {f64(shape(n)), f64(shape(n))},
                .dense = dense([=](tensors const& x) {
                  return oracle::concatenate({oracle::reshape(x[0], as(n)), oracle::reshape(x[1], as(n))}, along);
                })};
  });
}
TEST(assembled_layouts, stacks) {
  using ops::stacking;
  extents (*const row)(size) = [](size n) { return extents{1, n}; };
  extents (*const column)(size) = [](size n) { return extents{n, 1}; };
  extents (*const deep_line)(size) = [](size n) { return extents{1, n, 1}; };
  extents (*const deep)(size) = [](size n) { return extents{n, 2 * n, 1}; };
  stacks<stacking::rows>(line, row, 0);
  stacks<stacking::rows>(flat, flat, 0);
  stacks<stacking::columns>(line, line, 0);
  stacks<stacking::columns>(flat, flat, 1);
  stacks<stacking::columns>(cube, cube, 1);
  stacks<stacking::depth>(line, deep_line, 2);
  stacks<stacking::depth>(flat, deep, 2);
  stacks<stacking::vectors_as_columns>(line, column, 1);
  stacks<stacking::vectors_as_columns>(flat, flat, 1);
}

TEST(assembled_layouts, diagonals) {
  for (auto shape : {+[](size n) { return extents{n, n}; }, flat, cube})
    for (bool whole : {false, true})
      for (size k : {0, 1, -1})
        every_layout<ops::diagonal>([=](size n) {
          auto const want = [=](tensor const& x) {
            size const first = k < 0 ? -k : 0, second = k > 0 ? k : 0;
            size const length = std::min(x.extents[0] - first, x.extents[1] - second);
            extents e(x.extents.begin() + 2, x.extents.end());
            e.push_back(length);
            tensor const on = oracle::generate(e, [&](oracle::ints const& at) {
              oracle::ints from{at.back() + first, at.back() + second};
              from.insert(from.end(), at.begin(), at.end() - 1);
              return x[from];
            });
            return whole ? oracle::sum(on, {-1}) : on;
          };
          return test{.inputs = {f64(shape(n))}, .attrs = ops::diagonal_params{k, whole}, .dense = dense(want)};
        });
  for (size k : {0, 6, -12}) {  // as many more rows as any mesh here divides
    every_layout<ops::diag>([=](size n) {
      auto const want = [=](tensor const& x) {
        size const m = n + std::abs(k);
        return oracle::generate(
            {m, m}, [&](oracle::ints const& at) { return at[1] - at[0] == k ? x[{std::min(at[0], at[1])}] : 0.0; });
      };
      return test{.inputs = {f64({n})}, .attrs = ops::diagonal_params{k}, .dense = dense(want)};
    });
  }
  every_layout<ops::diag>([](size n) {
    auto const want = [n](tensor const& x) {
      return oracle::generate({n}, [&](oracle::ints const& at) { return x[{at[0], at[0]}]; });
    };
    return test{.inputs = {f64(flat(n))}, .dense = dense(want)};
  });
}

TEST(assembled_layouts, products_of_matrices) {
  auto const kron = [](extents (*left)(size), extents (*right)(size)) {
    every_layout<ops::kron>([=](size n) {
      auto const want = [](tensor const& x, tensor const& y) {
        extents e = x.extents;
        for (std::size_t d = 0; d < e.size(); ++d) e[d] *= y.extents[d];
        return oracle::generate(e, [&](oracle::ints const& at) {
          oracle::ints outside = at, inside = at;
          for (std::size_t d = 0; d < at.size(); ++d) outside[d] /= y.extents[d], inside[d] %= y.extents[d];
          return x[outside] * y[inside];
        });
      };
      return test{.inputs = {f64(left(n)), f64(right(n))}, .dense = dense(want)};
    });
  };
  kron(line, line);
  kron(flat, [](size n) { return extents{n, 2}; });
  extents (*const square)(size) = [](size n) { return extents{n, n}; };
  for (size power : {0, 1, 2, 5})
    every_layout<ops::matrix_power>([=](size n) {
      auto const want = [=](tensor const& x) {
        tensor y = oracle::generate(x.extents, [](oracle::ints const& at) { return double(at[0] == at[1]); });
        for (size k = 0; k < power; ++k) y = oracle::matmul(y, x);
        return y;
      };
      return test{.inputs = {f64(square(n), -0.5, 0.5)},
                  .attrs = ops::matrix_power_params{power},
                  .dense = dense(want),
                  .gradient = power > 0,
                  .tolerance = 1e-11};
    });
}

// By elimination, the diagonal being large.
double determinant(tensor const& a, size which) {
  size const n = a.extents[1];
  std::vector<double> m;
  for (size i = 0; i < n * n; ++i) m.push_back(a.data[std::size_t(which * n * n + i)]);
  double product = 1;
  for (size k = 0; k < n; ++k) {
    product *= m[std::size_t(k * n + k)];
    for (size i = k + 1; i < n; ++i) {
      double const factor = m[std::size_t(i * n + k)] / m[std::size_t(k * n + k)];
      for (size j = k; j < n; ++j) m[std::size_t(i * n + j)] -= factor * m[std::size_t(k * n + j)];
    }
  }
  return product;
}
TEST(assembled_layouts, determinants) {
  for (size what : {0, 1, 2})
    every_layout<ops::slogdet>([=](size n) {
      tensor a = oracle::scattered({n, 4, 4}, -0.5, 0.5);
      oracle::for_each_index(a.extents, [&](oracle::ints const& at) {
        if (at[1] == at[2]) a[at] += at[0] % 2 == 0 ? 1.5 : at[1] == 0 ? -1.5 : 1.5;
      });
      auto const want = [=](tensor const& x) {
        return oracle::generate({n}, [&](oracle::ints const& at) {
          double const det = determinant(x, at[0]);
          return what == 0 ? double(det > 0) - double(det < 0) : what == 1 ? std::log(std::fabs(det)) : det;
        });
      };
      return test{.inputs = {given(dtype::float64, a)},
                  .attrs = ops::slogdet_params{static_cast<ops::determinant>(what)},
                  .dense = dense(want),
                  .tolerance = 1e-11};
    });
}

TEST(assembled_layouts, frequencies) {
  for (size real : {0, 1})
    every_layout<ops::fftfreq>([=](size n) {
      ops::fftfreq_params const attrs{n + real, real == 1, dtype::float64};
      auto const want = [=](tensor const& apart) {
        size const m = n + real;
        return oracle::generate({real ? m / 2 + 1 : m}, [&](oracle::ints const& at) {
          size const k = real || at[0] < (m + 1) / 2 ? at[0] : at[0] - m;
          return double(k) / (apart.item() * double(m));
        });
      };
      return test{.inputs = {f64({})}, .attrs = attrs, .dense = dense(want)};
    });
  for (size back : {0, 1})
    for (extents dims : {extents{}, extents{1}, extents{0, 2}})
      every_layout<ops::fftshift>([=](size n) {
        auto const want = [=](tensor const& x) {
          return oracle::generate(x.extents, [&](oracle::ints at) {
            for (std::size_t d = 0; d < 3; ++d)
              if (dims.empty() || std::count(dims.begin(), dims.end(), size(d)) > 0)
                at[d] = (at[d] + (back ? x.extents[d] / 2 : (x.extents[d] + 1) / 2)) % x.extents[d];
            return x[at];
          });
        };
        return test{
            .inputs = {f64({n, n, 3})}, .attrs = ops::fftshift_params{list(dims), back == 1}, .dense = dense(want)};
      });
}

TEST(assembled_layouts, padding) {
  every_layout<ops::pad_to_multiple>([](size n) {
    ops::padding_params const attrs{0, 2, ts::axis_set::of(0)};  // two devices: rows become a multiple of four
    auto const want = [n](tensor const& x) { return oracle::pad(x, 0, {0, 0}, {4 - (n + 3) % 4, 0}); };
    return test{.inputs = {f64({n + 3, n})}, .attrs = attrs, .dense = dense(want)};
  });
  every_layout<ops::unpad>([](size n) {
    auto const want = [n](tensor const& y, tensor const&) { return oracle::slice(y, {0, 0}, {n, n}); };
    return test{.inputs = {f64({2 * n, n}), f64({n, n})}, .attrs = ops::padding_params{0}, .dense = dense(want)};
  });
  for (size dim : {0, -1})
    every_layout<ops::valid_mask>([=](size n) {
      auto const want = [=](tensor const& y, tensor const& valid) {
        return oracle::map(oracle::iota(y.extents, dim == 0 ? 0 : 1),
                           [&](double at) { return double(at < valid.item()); });
      };
      return test{.inputs = {f64(flat(n)), {dtype::int32, {}, 0, 0, {3}}},
                  .attrs = ops::padding_params{dim},
                  .dense = dense(want),
                  .gradient = false};
    });
}

// Op of x + i y, its real part plus thrice its imaginary one: what the kit, which knows real numbers, can compare.
template <class Op>
struct of_complex {
  static constexpr std::string_view name = Op::name;
  static constexpr ts::op_class kind = ts::op_class::elementwise;
  template <class B>
  static constexpr ts::term build(B& b, ts::term const* x, int, ts::attributes const&) {
    ts::term const result = b.template make<Op>({b.template make<ops::complex>({x[0], x[1]})});
    ts::term const thrice = b.template make<ops::multiply>({b.template make<ops::imag>({result}), number(b, 3.0)});
    return b.template make<ops::add>({b.template make<ops::real>({result}), thrice});
  }
};
// A transform of x + i y along one dimension, made real in the same way.
template <ops::fourier::way Way>
struct spectrum {
  static constexpr std::string_view name = ops::transforms<Way>::name;
  static constexpr ts::op_class kind = ts::op_class::opaque;
  template <class B>
  static constexpr ts::term build(B& b, ts::term const* x, int, ts::attributes const& attrs) {
    using ops::fourier::way;
    ts::term const z = Way == way::of_real ? x[0] : b.template make<ops::complex>({x[0], x[1]});
    ts::term const result = b.template make<ops::transforms<Way>>({z}, attrs);
    if (Way == way::to_real) return result;
    ts::term const thrice = b.template make<ops::multiply>({b.template make<ops::imag>({result}), number(b, 3.0)});
    return b.template make<ops::add>({b.template make<ops::real>({result}), thrice});
  }
};
template <ops::fourier::way Way>
void spectra() {
  using ops::fourier::way;
  for (std::size_t dim : {0u, 1u})
    every_layout<spectrum<Way>>([=](size n) {
      auto const want = [=](tensor const& x, tensor const& y) {
        size const m = x.extents[dim], whole = Way == way::to_real ? 2 * (m - 1) : m;
        extents e = x.extents;
        e[dim] = Way == way::of_real ? m / 2 + 1 : whole;
        bool const back = Way == way::inverse || Way == way::to_real;
        return oracle::generate(e, [&](oracle::ints at) {
          size const k = at[dim];
          double re = 0, im = 0;
          for (size j = 0; j < whole; ++j) {
            at[dim] = j < m ? j : whole - j;  // beyond its half a real line's spectrum is mirrored
            bool const own = Way == way::to_real && (j == 0 || 2 * j == whole);
            double const a = x[at], b = Way == way::of_real || own ? 0 : j < m ? y[at] : -y[at];
            double const turn = (back ? 2 : -2) * M_PI * double(j * k % whole) / double(whole);
            re += a * std::cos(turn) - b * std::sin(turn);
            im += a * std::sin(turn) + b * std::cos(turn);
          }
          return (re + (Way == way::to_real ? 0 : 3 * im)) / double(back ? whole : 1);
        });
      };
      return test{.inputs = {f64({n, n}), f64({n, n})},
                  .attrs = ops::transforms_params{{size(dim)}},
                  .dense = dense(want),
                  .tolerance = 1e-11};
    });
}
TEST(assembled_layouts, spectra) {
  using ops::fourier::way;
  spectra<way::forward>();
  spectra<way::inverse>();
  spectra<way::of_real>();
  spectra<way::to_real>();
}

TEST(assembled_layouts, cross_products) {
  every_layout<ops::cross>([](size n) {
    auto const want = [](tensor const& x, tensor const& y) {
      return oracle::generate(x.extents, [&](oracle::ints at) {
        size const k = at[1];
        auto const of = [&](tensor const& v, size turn) {
          at[1] = (k + turn) % 3;
          return v[at];
        };
        return of(x, 1) * of(y, 2) - of(x, 2) * of(y, 1);
      });
    };
    return test{.inputs = {f64({n, 3}), f64({n, 3})}, .dense = dense(want)};
  });
}

TEST(assembled_layouts, complex_numbers) {
  auto const shapes = [](auto op, double (*f)(double, double)) {
    of_two<decltype(op)>([f](tensor const& x, tensor const& y) { return oracle::map(x, y, f); }, 0.3, 2);
  };
  shapes(of_complex<ops::copy>{}, [](double x, double y) { return x + 3 * y; });
  shapes(of_complex<ops::conj>{}, [](double x, double y) { return x - 3 * y; });
  shapes(of_complex<ops::real>{}, [](double x, double) { return x; });
  shapes(of_complex<ops::imag>{}, [](double, double y) { return y; });
  shapes(of_complex<ops::angle>{}, [](double x, double y) { return std::atan2(y, x); });
  of_one<ops::real>([](tensor const& x) { return x; }, -2, 2);
  of_one<ops::conj>([](tensor const& x) { return x; }, -2, 2);
  of_one<ops::imag>([](tensor const& x) { return oracle::zeros(x.extents); }, -2, 2);
}

}  // namespace
