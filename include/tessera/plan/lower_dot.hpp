// SPDX-License-Identifier: Apache-2.0
#pragma once
// A contraction as one device sees it: operands sliced to meet each other, a local product, and the reduction of the
// partial products over the contracted axes.

#include <tessera/plan/reshard.hpp>
#include <tessera/rule/contraction.hpp>

namespace tessera::detail {

// An operand in a form the product reads by strides: no repeated elements, at most two dimensions or plain memory.
constexpr int product_operand(lowering& l, int x) {
  auto const& n = l.local.nodes[static_cast<std::size_t>(x)];
  bool const repeats = n.op->kind == op_class::broadcast;
  return repeats || (!l.plain(x) && n.facts.rank > 2) ? l.copied(x) : x;
}

constexpr int lower_dot(lowering& l, node const& n, placed x, array_value const& lhs, placed y, array_value const& rhs) {
  attributes const& a = n.attrs;
  int const batches = a.third.size() / 2;
  placed left = x, right = y;  // the layouts the operands are brought to
  placed wanted = as_placed(-1, n.facts);
  placed product;
  axis_set over;
  for (int k = 0; k < a.first.size(); ++k) {  // a side that has a contracted dimension whole takes the other's part
    int const i = static_cast<int>(a.first[k]), j = static_cast<int>(a.second[k]);
    if (left.entry(i).empty()) left.entry(i) = right.entry(j);
    if (right.entry(j).empty()) right.entry(j) = left.entry(i);
    over |= left.entry(i).axes();
  }
  for (int k = 0; k < batches; ++k) {
    int const i = static_cast<int>(a.third[k]), j = static_cast<int>(a.third[batches + k]);
    left.entry(i) = right.entry(j) = left.entry(i).empty() ? right.entry(j) : left.entry(i);
    product.entry(product.rank++) = left.entry(i);
  }
  // A free dimension keeps its layout unless the result wants it split further or an axis is taken already.
  axis_set taken = over;
  for (int k = 0; k < batches; ++k) taken |= product.entry(k).axes();
  auto const free = [&](placed& side, extents_list const& dims) {
    for (auto d : dims) {
      entry_value& own = side.entry(static_cast<int>(d));
      entry_value const result = wanted.entry(product.rank);
      if (own.empty() && (result.axes() & (taken | side.used())).empty()) own = result;
      if (!(own.axes() & taken).empty()) own = {};
      taken |= own.axes();
      product.entry(product.rank++) = own;
    }
  };
  free(left, rule::free_dims(lhs, a.first, a.third, 0));
  free(right, rule::free_dims(rhs, a.second, a.third, batches));
  x = reshard(l, x, left);
  y = reshard(l, y, right);
  array_value facts = n.facts;
  facts.spec = product.spec;
  attributes attrs;
  attrs.first = a.first;
  attrs.second = a.second;
  attrs.third = a.third;
  int const ids[]{product_operand(l, x.id), product_operand(l, y.id)};
  product.id = l.emit(*n.op, ids, 2, attrs, local_block(facts, l.mesh()));
  product.pending = over;
  return reshard(l, product, wanted).id;
}

}  // namespace tessera::detail
