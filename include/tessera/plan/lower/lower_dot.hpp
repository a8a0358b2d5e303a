// SPDX-License-Identifier: Apache-2.0
#pragma once
// A contraction on one device: each mesh axis splits one index of the product, operands are brought to that layout, and
// the result is partial sums over the axes that split contracted indices.

#include <tessera/graph/node_factors.hpp>
#include <tessera/plan/lower/reshard.hpp>

namespace tessera::detail {

// An index of a product: the dimensions of the operands and of the result that have it.
struct product_index {
  int left = -1, right = -1, out = -1;
  entry_value split{};
  constexpr bool contracted() const { return out < 0; }
};
using product_indices = inplace_list<product_index, 2 * max_rank>;

constexpr product_indices indices_of(node const& n, array_value const& lhs, array_value const& rhs,
                                     mesh_value const& mesh) {
  array_value const* const operands[]{&lhs, &rhs};
  factor_map const map = factors_of(*n.op, {mesh, operands, 2, n.attrs}, n.facts);
  product_indices all;
  for (int f = 0; f < map.count; ++f) all.push_back({});
  for (int d = 0; d < lhs.rank; ++d) all[map.first(0, d)].left = d;
  for (int d = 0; d < rhs.rank; ++d) all[map.first(1, d)].right = d;
  for (int d = 0; d < n.facts.rank; ++d) all[map.first(2, d)].out = d;
  return all;
}

// Whether a product of 16-bit floats gives their sum in float32; else operands are cast before it.
#if defined(TESSERA_ACCELERATOR)
inline constexpr bool products_read_halves = false;
#else
inline constexpr bool products_read_halves = true;
#endif

class product_planner {
public:
  constexpr product_planner(lowering& l, node const& n, array_value const& lhs, array_value const& rhs)
      : l_(l),
        n_(n),
        lhs_(lhs),
        rhs_(rhs),
        left_(blocks_of(lhs, l.single())),
        right_(blocks_of(rhs, l.single())),
        wanted_(blocks_of(n.facts, l.single())),
        all_(indices_of(n, lhs, rhs, l.mesh())) {
    for (int a = 0; a < l_.mesh().rank; ++a)
      if (l_.several().contains(a)) homes_[a] = home(a);
    product_.layout.rank = wanted_.rank;
    block_layout const x = left_, y = right_;
    for (int i = 0; i < all_.size(); ++i) {
      product_index& index = all_[i];
      if (index.left >= 0) assign(i, x.entry(index.left));
      if (index.right >= 0) assign(i, y.entry(index.right));
      if (index.out >= 0) assign(i, wanted_.entry(index.out));
      if (index.left >= 0) left_.entry(index.left) = index.split;
      if (index.right >= 0) right_.entry(index.right) = index.split;
      if (index.out >= 0) product_.layout.entry(index.out) = index.split;
      if (index.contracted()) product_.layout.pending |= index.split.axes();
    }
  }

  // The layouts in which the operands are needed.
  constexpr block_layout const& left() const { return left_; }
  constexpr block_layout const& right() const { return right_; }
  // The axes over which the result is partial sums.
  constexpr axis_set pending() const { return product_.layout.pending; }
  // The product of operands in these layouts, in dtype `as`, as partial sums.
  constexpr placed run(int x, int y, dtype as) {
    int ids[]{x, y};
    for (product_index const& index : all_) {
      if (!index.contracted()) continue;
      ids[0] = without_padding(l_, ids[0], index.left, lhs_, index.split, monoid::sum);
      ids[1] = without_padding(l_, ids[1], index.right, rhs_, index.split, monoid::sum);
    }
    array_value facts = n_.facts;
    facts.element = as;
    dot_params dims = n_.attrs.as<dot_params>();
    dtype const own = l_.facts(x).element;
    dims.wide = products_read_halves && as == dtype::float32 && is_half(own) && l_.facts(y).element == own;
    for (int k = 0; k < 2; ++k) ids[k] = operand(dims.wide ? ids[k] : l_.in_dtype(ids[k], as), k == 0);
    for (int d = 0; d < facts.rank; ++d) facts.entry(d) = product_.layout.entry(d);
    product_.id = l_.emit_step(*n_.op, ids, 2, dims, local_block(facts, l_.mesh()));
    return product_;
  }

private:
  // The index that axis a splits; -1: none. An index that the axis splits in the result and in an operand stays split,
  // then a contracted index does. Otherwise the smaller of operand and result changes its layout.
  constexpr int home(int a) const {
    int left = -1, right = -1, out = -1;
    for (int i = 0; i < all_.size(); ++i) {
      if (all_[i].left >= 0 && left_.entry(all_[i].left).axes().contains(a)) left = i;
      if (all_[i].right >= 0 && right_.entry(all_[i].right).axes().contains(a)) right = i;
      if (all_[i].out >= 0 && wanted_.entry(all_[i].out).axes().contains(a)) out = i;
    }
    if (out >= 0 && (left == out || right == out)) return out;
    if (left >= 0 && all_[left].contracted()) return left;
    if (right >= 0 && all_[right].contracted()) return right;
    if (left < 0 && right < 0) return out;
    auto const bytes = [](array_value const& v) { return v.size() == dynamic ? std::int64_t{1} << 40 : v.size(); };
    bool const use_left = right < 0 || (left >= 0 && bytes(lhs_) >= bytes(rhs_));
    auto const own = bytes(use_left ? lhs_ : rhs_), result = bytes(n_.facts);
    auto const n = l_.mesh().size(a) == dynamic ? 2 : l_.mesh().size(a);
    bool const moves_result = out < 0 ? result <= own : result <= own * n;
    return moves_result ? (use_left ? left : right) : out;
  }
  // Splits index i by the axes of `from` whose home it is, if the extent is divisible or is split so already. Operand
  // and result may be split by different axes.
  constexpr void assign(int i, entry_value from) {
    entry_value& split = all_[i].split;
    for (int k = 0; k < from.count(); ++k) {
      if (homes_[from.axis(k)] != i || split.axes().contains(from.axis(k))) continue;
      entry_value more = split;
      more.append(from.axis(k));
      auto const parts = l_.mesh().devices(more.axes());
      bool const known = extent(i) != dynamic && parts != dynamic;
      if ((known && extent(i) % parts == 0) || from.axes().contains(known ? more.axes() : split.axes())) split = more;
    }
  }
  constexpr std::int64_t extent(int i) const {
    return all_[i].left >= 0 ? lhs_.extent(all_[i].left) : rhs_.extent(all_[i].right);
  }

  // The operand as matrix products read it: contiguous along its free or its contracted dimensions, without repetition.
  constexpr int operand(int x, bool is_left) const {
    if (!l_.is_view(x)) return x;
    array_value const& facts = l_.facts(x);
    strides const at = l_.where(x);
    std::int64_t step[2]{}, extent[2]{1, 1};  // of the innermost free and contracted dimension
    for (product_index const& index : all_) {
      int const d = is_left ? index.left : index.right;
      if (d < 0 || facts.extent(d) == 1 || (index.left >= 0 && index.right >= 0 && index.out >= 0)) continue;
      auto const own = at.dim_stride[d];
      if (own <= 0) return l_.copied(x);
      int const role = index.contracted();
      if (step[role] == 0 || own < step[role]) {
        step[role] = own;
        extent[role] = facts.extent(d);
      }
    }
    for (int role = 0; role < 2; ++role)
      if (step[role] == 0 || (step[role] == 1 && (step[1 - role] == 0 || step[1 - role] >= extent[role]))) return x;
    return l_.copied(x);
  }

  lowering& l_;
  node const& n_;
  array_value const &lhs_, &rhs_;
  block_layout left_, right_, wanted_;
  placed product_;
  product_indices all_;
  by_dim<int> homes_{};
};

}  // namespace tessera::detail
