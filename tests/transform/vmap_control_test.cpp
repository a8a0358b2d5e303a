// SPDX-License-Identifier: Apache-2.0
// nightly
// vmap against the function itself, called on one slice after the other: loops, branches, gradients, vmap in vmap.

#include "support/mapped_case.hpp"

namespace {

using namespace on_grid;

// Loops and branches.
MAPPED(scan_of_rows, std::get<1>(ts::scan(
                         [](auto c, auto row) {
                           return std::tuple{c + row, c * row};
                         },
                         ts::zeros_like(ts::sum<0>(x)), x)))
MAPPED(scan_from_constant, std::get<0>(ts::scan(
                               [](auto c, auto row) {
                                 return std::tuple{c + row, std::tuple{}};
                               },
                               ts::zeros<double, 6>(), x)))
MAPPED(scan_that_carries_both,
       std::get<1>(std::get<0>(ts::scan<3>(
           [&](auto c) {
             return std::tuple{std::tuple{std::get<0>(c) + 1.0, std::get<1>(c) + std::get<0>(c) * x}, std::tuple{}};
           },
           std::tuple{ts::zeros<double, 4, 6>(), ts::zeros_like(x)}))))
MAPPED(fori, ts::fori_loop(
                 0, 4, [](auto i, auto v) { return v * 0.5 + i; }, x))
MAPPED(while_of_each, ts::while_loop([](auto v) { return ts::sum(v) < 100.0; }, [](auto v) { return v * 1.5; }, x))
MAPPED(while_of_all, std::get<1>(ts::while_loop([](auto c) { return std::get<0>(c) < 3; },
                                                [](auto c) {
                                                  return std::tuple{std::get<0>(c) + 1, std::get<1>(c) * 2.0};
                                                },
                                                std::tuple{ts::sum(ts::zeros<ts::int32, 2>()), x})))
MAPPED(cond_of_each, ts::cond(
                         ts::sum(x) > 26.0, [](auto v) { return v * 2.0; }, [](auto v) { return -v; }, x))
MAPPED(cond_of_all, ts::cond(
                        ts::sum(ts::ones<double, 3>()) > 2.0, [](auto v) { return v * 2.0; },
                        [](auto v) { return ts::ones_like(v); }, x))
MAPPED(switch_of_each, ts::switch_(ts::argmax(ts::sum<1>(x)) - 1,
                                   std::tuple{[](auto v) { return v; }, [](auto v) { return v * 10.0; },
                                              [](auto v) { return ts::zeros_like(v); }},
                                   x))
MAPPED(nested_loops, ts::fori_loop(
                         0, 2,
                         [](auto, auto v) {
                           return ts::cond(
                               ts::sum(v) > 26.0,
                               [](auto w) {
                                 return ts::while_loop([](auto u) { return ts::max(u) < 9.0; },
                                                       [](auto u) { return u * 1.25; }, w);
                               },
                               [](auto w) { return w + 0.5; }, v);
                         },
                         x))
MAPPED(checkpointed, ts::checkpoint([](auto v) { return ts::sin(v) * v; })(x))

// Gradients of one slice each.
MAPPED(gradient, ts::grad([](auto v) { return ts::sum(ts::sin(v) * v); })(x))
MAPPED(gradient_of_product, ts::grad([](auto v) { return ts::sum(ts::tanh(ts::matmul(v, ts::transpose(v)))); })(x))
MAPPED(gradient_of_scan, ts::grad([](auto v) {
         return ts::sum(std::get<0>(ts::scan(
             [](auto c, auto row) {
               return std::tuple{c * ts::sin(row), std::tuple{}};
             },
             ts::ones_like(ts::sum<0>(v)), v)));
       })(x))
MAPPED(gradient_of_cond, ts::grad([](auto v) {
         return ts::cond(
             ts::sum(v) > 26.0, [](auto u) { return ts::sum(u * u); }, [](auto u) { return ts::sum(u); }, v);
       })(x))
MAPPED(gradient_at_places,
       ts::grad([](auto v) { return ts::sum(ts::sort(v) * ts::take<1>(v, ts::argsort(v).at(0).get())); })(x))
MAPPED(hessian_diagonal,
       ts::grad([](auto v) { return ts::sum(ts::grad([](auto u) { return ts::sum(u * u * u); })(v)); })(x))
// vmap in vmap.
MAPPED(nested, ts::vmap([](auto row) { return row * ts::sum(row); })(x))
MAPPED(nested_columns,
       ts::vmap<ts::in_axes<1>, ts::out_axes<1>>([](auto column) { return column / ts::max(column); })(x))
MAPPED(pairs, ts::vmap([&](auto a) { return ts::vmap([&](auto b) { return ts::sum(a * b); })(x); })(x))

}  // namespace
