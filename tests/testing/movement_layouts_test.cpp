// SPDX-License-Identifier: Apache-2.0
// Ops that move elements, in every layout.

#include "support/every_layout.hpp"

namespace {

using namespace layouts;
using size = std::int64_t;

extents cube(size n) { return {n, 2 * n, n}; }
extents flat(size n) { return {2 * n, n}; }
extents line(size n) { return {2 * n}; }
template <size... First>
ts::attributes firsts(size) {
  return lists({First...});
}

TEST(movement_layouts, permute) {
  auto const in_order = [](ts::attributes (*attrs)(size), extents order) {
    of_extents<ops::permute>(cube, attrs, [=](tensor const& x, size) { return oracle::transpose(x, order); });
  };
  in_order(firsts<0, 1, 2>, {0, 1, 2});
  in_order(firsts<0, 2, 1>, {0, 2, 1});
  in_order(firsts<1, 0, 2>, {1, 0, 2});
  in_order(firsts<1, 2, 0>, {1, 2, 0});
  in_order(firsts<-1, 0, 1>, {2, 0, 1});
  in_order(firsts<>, {2, 1, 0});
  of_extents<ops::permute>(flat, firsts<>, [](tensor const& x, size) { return oracle::transpose(x); });
}

TEST(movement_layouts, reshape) {
  auto const to = [](extents (*from)(size), ts::attributes (*shape)(size)) {
    for (bool out : {false, true})
      of_extents<ops::reshape>(
          from, shape,
          [shape](tensor const& x, size n) {
            auto const& list = shape(n).first;
            return oracle::reshape(x, {list.begin(), list.end()});
          },
          out);
  };
  to(cube, [](size n) { return lists({2 * n * n * n}); });
  to(cube, [](size n) { return lists({2 * n * n, n}); });
  to(cube, [](size n) { return lists({n, 2 * n * n}); });
  to(cube, [](size n) { return lists({n, n, 2 * n}); });
  to([](size n) { return extents{4 * n, n}; }, [](size n) { return lists({2 * n, 2, n}); });
  to([](size n) { return extents{n * n}; }, [](size n) { return lists({n, n}); });
  to([](size n) { return extents{n * n * n}; }, [](size n) { return lists({n, n, n}); });
  to([](size n) { return extents{2 * n, 3}; }, [](size n) { return lists({3, 2 * n}); });
}

TEST(movement_layouts, optimization_barrier) {
  of_extents<ops::optimization_barrier>(cube, firsts<>, [](tensor const& x, size) { return x; });
}

TEST(movement_layouts, dims_of_one) {
  of_extents<ops::expand_dims>(flat, firsts<0, -1>, [](tensor const& x, size n) {
    return oracle::reshape(x, {1, 2 * n, n, 1});
  });
  of_extents<ops::expand_dims>(cube, firsts<1>, [](tensor const& x, size n) {
    return oracle::reshape(x, {n, 1, 2 * n, n});
  });
  of_extents<ops::squeeze>(
      [](size n) {
        return extents{1, n, 1};
      },
      firsts<0>,
      [](tensor const& x, size n) {
        return oracle::reshape(x, {n, 1});
      });
  of_extents<ops::squeeze>(
      [](size n) {
        return extents{n, 1, n};
      },
      [](size) { return with(1); },
      [](tensor const& x, size n) {
        return oracle::reshape(x, {n, n});
      });
  of_extents<ops::atleast>(
      line, [](size) { return with(2); },
      [](tensor const& x, size n) {
        return oracle::reshape(x, {1, 2 * n});
      });
  of_extents<ops::atleast>(
      flat, [](size) { return with(3); },
      [](tensor const& x, size n) {
        return oracle::reshape(x, {2 * n, n, 1});
      });
}

TEST(movement_layouts, broadcast_to) {
  auto const to = [](extents (*from)(size), ts::attributes (*attrs)(size)) {
    for (bool out : {false, true})
      of_extents<ops::broadcast_to>(
          from, attrs,
          [attrs](tensor const& x, size n) {
            auto const to = attrs(n);
            extents const target(to.second.begin(), to.second.end());
            if (to.first.empty()) return oracle::broadcast_to(x, target);
            extents wide(target.size(), 1);
            for (int i = 0; i < to.first.size(); ++i)
              wide[static_cast<std::size_t>(to.first[i])] = x.extents[static_cast<std::size_t>(i)];
            return oracle::broadcast_to(oracle::reshape(x, wide), target);
          },
          out);
  };
  to(line, [](size n) { return lists({}, {n, 2 * n}); });
  to(flat, [](size n) { return lists({}, {n, 2 * n, n}); });
  to([](size n) { return extents{n, 1, n}; }, [](size n) { return lists({}, {n, 2 * n, n}); });
  to([](size n) { return extents{n, 1}; }, [](size n) { return lists({}, {n, n, n}); });
  to([](size) { return extents{}; }, [](size n) { return lists({}, {n, 2 * n, n}); });
  to([](size n) { return extents{n, 2 * n}; }, [](size n) { return lists({0, 1}, {n, 2 * n, n}); });
  to([](size n) { return extents{n, n}; }, [](size n) { return lists({0, 2}, {n, 2 * n, n}); });
}

TEST(movement_layouts, slices) {
  of_extents<ops::slice>(
      cube,
      [](size n) {
        return lists({0, n, 1}, {n, 2 * n, ts::to_end}, {1, 1, 2});
      },
      [](tensor const& x, size n) {
        return oracle::slice(x, {0, n, 1}, {n, 2 * n, n}, {1, 1, 2});
      });
  of_extents<ops::slice>(
      flat, [](size n) { return lists({n}, {2 * n}, {}, 1); },
      [](tensor const& x, size n) {
        return oracle::slice(x, {n, 0}, {2 * n, n});
      });
  of_extents<ops::flip>(cube, firsts<0, 2>, [](tensor const& x, size) { return oracle::flip(x, {0, 2}); });
  of_extents<ops::flip>(flat, firsts<>, [](tensor const& x, size) { return oracle::flip(x, {0, 1}); });
  of_extents<ops::split_part>(
      cube,
      [](size) {
        return lists({1, 2}, {}, {}, 1);
      },
      [](tensor const& x, size n) {
        return oracle::slice(x, {0, n, 0}, {n, 2 * n, n});
      });
  of_extents<ops::unstacked_part>(
      cube, [](size) { return lists({1}, {}, {}, 2); },
      [](tensor const& x, size n) {
        return oracle::reshape(oracle::slice(x, {0, 0, 1}, {n, 2 * n, 2}), {n, 2 * n});
      });
}

TEST(movement_layouts, parts_put_together) {
  for (int rank = 1; rank < 4; ++rank)
    for (int d = 0; d < rank; ++d) {
      auto const two = [&]<class Op>(std::type_identity<Op>, auto f) {
        every_layout<Op>([&](size n) {
          extents e{n, n, n}, other;
          e.resize(static_cast<std::size_t>(rank));
          other = e;
          if (Op::name == "concatenate") other[static_cast<std::size_t>(d)] = 2 * n;
          return test{.inputs = {f64(e), f64(other)}, .attrs = with(d), .dense = dense([=](tensors const& x) {
                                                                          return f(x, d);
                                                                        })};
        });
      };
      two(std::type_identity<ops::concatenate>{}, [](tensors const& x, size at) { return oracle::concatenate(x, at); });
      two(std::type_identity<ops::stack>{}, [](tensors const& x, size at) { return oracle::stack(x, at); });
    }
  auto const three = [](tensors const& x) { return oracle::concatenate(x, 0); };
  every_layout<ops::concatenate>([&](size n) {
    return test{.inputs = {f64({n, n}), f64({2 * n, n}), f64({n, n})}, .attrs = with(0), .dense = dense(three)};
  });
  every_layout<ops::update_slice>([](size n) {
    return test{.inputs = {f64({2 * n, n, n}), f64({n, n, n - 2})},
                .attrs = lists({n - 1, 0, 2}),
                .dense = dense([n](tensor const& x, tensor const& part) {
                  return oracle::update_slice(x, part, {n - 1, 0, 2});
                })};
  });
}

TEST(movement_layouts, pad) {
  auto const by = [](extents const& low, extents const& high, extents const& interior) {
    every_layout<ops::pad>([&](size n) {
      return test{.inputs = {f64({n, 2 * n, n}), f64({})},
                  .attrs = lists(low, high, interior),
                  .dense = dense([=](tensor const& x, tensor const& value) {
                    return oracle::pad(x, value.item(), low, high, interior);
                  })};
    });
  };
  by({12, 0, 0}, {0, 0, 0}, {0, 0, 0});
  by({0, 5, 0}, {0, 7, 1}, {0, 0, 0});
  by({0, 0, 1}, {0, 0, 0}, {0, 0, 1});
  by({-1, 0, 0}, {1, 0, 12}, {0, 0, 0});
}

TEST(movement_layouts, repeated) {
  of_extents<ops::tile>(cube, firsts<1, 1, 3>, [](tensor const& x, size) { return oracle::tile(x, {1, 1, 3}); });
  of_extents<ops::tile>(line, firsts<2, 1>, [](tensor const& x, size) {
    return oracle::tile(oracle::expand_dims(x, 0), {2, 1});
  });
  auto const repeat = [](tensor const& x, std::size_t d, size times) {
    extents e = x.extents;
    e[d] *= times;
    return oracle::generate(e, [&](oracle::ints at) {
      at[d] /= times;
      return x[at];
    });
  };
  for (bool out : {false, true}) {
    of_extents<ops::repeat>(
        cube, [](size) { return lists({2}, {1}); }, [=](tensor const& x, size) { return repeat(x, 1, 2); }, out);
    of_extents<ops::repeat>(
        flat, [](size) { return lists({3}, {-1}); }, [=](tensor const& x, size) { return repeat(x, 1, 3); }, out);
    of_extents<ops::repeat>(
        flat, firsts<2>, [=](tensor const& x, size n) { return repeat(oracle::reshape(x, {2 * n * n}), 0, 2); }, out);
  }
  auto const roll = [](tensor const& x, size shift, std::size_t d) {
    return oracle::generate(x.extents, [&](oracle::ints at) {
      at[d] = (at[d] - shift + 2 * x.extents[d]) % x.extents[d];
      return x[at];
    });
  };
  of_extents<ops::roll>(
      cube, [](size n) { return lists({n}, {1}); }, [=](tensor const& x, size n) { return roll(x, n, 1); });
  of_extents<ops::roll>(
      flat,
      [](size) {
        return lists({-1, 2}, {0, 1});
      },
      [=](tensor const& x, size) { return roll(roll(x, -1, 0), 2, 1); });
  of_extents<ops::roll>(flat, firsts<3>, [=](tensor const& x, size n) {
    return oracle::reshape(roll(oracle::reshape(x, {2 * n * n}), 3, 0), {2 * n, n});
  });
}

TEST(movement_layouts, reshard) {
  for (auto shape : {+[](size n) { return extents{2 * n}; }, +[](size n) { return extents{n, 2 * n}; }, cube}) {
    auto const same = [](tensor const& x, size) { return x; };
    of_extents<ops::reshard>(
        shape, [](size) { return ts::attributes{}; }, same, true);
    of_extents<ops::with_sharding_constraint>(
        shape, [](size) { return ts::attributes{}; }, same, true);
  }
}

// Each device's block of a count along one dimension is the same along the axes that split others, so that fewer blocks
// are stored than the layout names.
struct moved_count {
  static constexpr std::string_view name = "iota";
  static constexpr ts::op_class kind = ts::op_class::reshard;
  template <class B>
  static constexpr ts::term build(B& b, ts::term const* x, int, ts::attributes const& attrs) {
    ts::array_value const like = x[0].facts();
    ts::attributes count, to;
    for (int d = 0; d < like.rank; ++d) count.first.push_back(like.extent(d));
    count.element = dtype::int32;
    count.integer = attrs.integer;
    count.has_out = true;
    count.out = layout_of(like);
    to.has_out = true;
    to.out = attrs.out;
    return b.template make<ops::reshard>({b.template make<ops::iota>({}, count)}, to);
  }
};
TEST(movement_layouts, reshard_of_repeated_blocks) {
  for (size d = 0; d < 3; ++d)
    every_layout<moved_count>([d](size n) {
      return test{.inputs = {f64(cube(n))},
                  .attrs = with(d),
                  .dense = dense([d](tensor const& x) { return oracle::iota(x.extents, d); }),
                  .gradient = false,
                  .out_sharding = true};
    });
}

TEST(movement_layouts, triangles) {
  auto const part = [](bool upper, size k) {
    return [=](tensor const& x, size) {
      return oracle::generate(x.extents, [&](oracle::ints const& at) {
        size const apart = at[at.size() - 1] - at[at.size() - 2];
        return (upper ? apart >= k : apart <= k) ? x[at] : 0;
      });
    };
  };
  of_extents<ops::triu>(
      cube, [](size) { return with(0); }, part(true, 0));
  of_extents<ops::triu>(
      flat, [](size) { return with(1); }, part(true, 1));
  of_extents<ops::tril>(
      cube, [](size) { return with(-2); }, part(false, -2));
  of_extents<ops::tril>(
      flat, [](size) { return with(0); }, part(false, 0));
}

// Without operands: every layout of the result is asked for.
TEST(movement_layouts, made_from_nothing) {
  for (int rank = 1; rank < 4; ++rank)
    for (int d = 0; d < rank; ++d)
      every_layout<ops::iota>([&](size n) {
        extents e{n, 2 * n, n};
        e.resize(static_cast<std::size_t>(rank));
        ts::attributes attrs = lists(e, {}, {}, d);
        attrs.element = dtype::int32;
        return test{
            .attrs = attrs, .dense = dense([=](tensors const&) { return oracle::iota(e, d); }), .out_sharding = true};
      });
  every_layout<ops::arange>([](size n) {
    ts::attributes attrs = lists({2 * n}, {3, -2});
    attrs.element = dtype::float64;
    auto const want = [n](tensors const&) {
      return oracle::map(oracle::iota({2 * n}), [](double v) { return 3 - 2 * v; });
    };
    return test{.attrs = attrs, .dense = dense(want), .out_sharding = true};
  });
  every_layout<ops::full>([](size n) {
    ts::attributes attrs = lists({}, {n, 2 * n, n});
    attrs.element = dtype::float64;
    attrs.number = 1.5;
    return test{.attrs = attrs,
                .dense = dense([n](tensors const&) {
                  return oracle::full({n, 2 * n, n}, 1.5);
                }),
                .out_sharding = true};
  });
  of_extents<ops::full_like>(
      cube, [](size) { return with(0, 2.5); }, [](tensor const& x, size) { return oracle::full(x.extents, 2.5); });
  every_layout<ops::eye>([](size n) {
    ts::attributes attrs = lists({n, 2 * n}, {}, {}, 1);
    attrs.element = dtype::float32;
    auto const want = [n](tensors const&) {
      return oracle::generate({n, 2 * n}, [](oracle::ints const& at) { return double(at[1] == at[0] + 1); });
    };
    return test{.attrs = attrs, .dense = dense(want), .out_sharding = true};
  });
  every_layout<ops::linspace>([](size n) {
    ts::attributes attrs = lists({2 * n});
    attrs.element = dtype::float64;
    auto const want = [n](tensor const& from, tensor const& to) {
      return oracle::map(oracle::iota({2 * n}), [&](double v) {
        return from.item() + (to.item() - from.item()) * v / static_cast<double>(2 * n - 1);
      });
    };
    return test{.inputs = {f64({}), f64({})}, .attrs = attrs, .dense = dense(want), .out_sharding = true};
  });
  for (size at : {0, 1, -1})
    every_layout<ops::one_hot>([at](size n) {
      ts::attributes attrs = lists({at}, {}, {}, n);
      attrs.element = dtype::float64;
      auto const want = [=](tensor const& labels) {
        tensor const hot = oracle::one_hot(labels, n);
        return at == 0 ? oracle::transpose(hot, {2, 0, 1}) : at == 1 ? oracle::transpose(hot, {0, 2, 1}) : hot;
      };
      return test{.inputs = {i32({n, 2 * n}, 0, 7)}, .attrs = attrs, .dense = dense(want)};
    });
}

}  // namespace
