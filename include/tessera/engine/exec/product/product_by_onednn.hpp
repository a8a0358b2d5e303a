// SPDX-License-Identifier: Apache-2.0
#pragma once
// Products of 16-bit floats by oneDNN, where the processor multiplies them itself (AVX-512 BF16 or FP16, AMX): a call for
// each panel. Sums are float32, rounded once or the result; numbers below the smallest normal one count as 0, as these instructions have
// it.

#include <tessera/engine/exec/fused/row_memory.hpp>
#include <tessera/engine/exec/product/gemm.hpp>
#include <tessera/engine/exec/product/onednn.hpp>

#include <memory>
#include <string_view>
#include <vector>

namespace tessera::detail {

#if defined(TESSERA_ONEDNN)

class product_by_onednn {
public:
  // Null if the library or the processor has nothing for it.
  TESSERA_COLD static std::shared_ptr<product_by_onednn const> of(product_work const& w) {
    constexpr std::int64_t few = 4096;  // terms; below, a call costs more than its work
    if (!is_half(w.what.operand()) || w.what.alpha != 1 || w.what.beta != 0 || w.outer_k != 1 || w.tiles == 0 ||
        !onednn::engine() || w.row_panel * w.column_panel * w.k.extent < few)
      return nullptr;
    onednn::one_thread const alone;
    auto made = std::make_shared<product_by_onednn>();
    std::int64_t const last_rows = w.m.extent - (w.row_panels - 1) * w.row_panel;
    std::int64_t const last_columns = w.n.extent - (w.column_panels - 1) * w.column_panel;
    for (std::int64_t rows : {std::min(w.row_panel, w.m.extent), last_rows})
      for (std::int64_t columns : {std::min(w.column_panel, w.n.extent), last_columns})
        if (!made->find(rows, columns) && !made->add(w, rows, columns)) return nullptr;
    return made;
  }

  // c = a * b, of a panel.
  void run(std::int64_t rows, std::int64_t columns, std::byte const* a, std::byte const* b, std::byte* c) const {
    onednn::one_thread const alone;
    part const& one = *find(rows, columns);
    struct scratch;
    one.call.run({const_cast<std::byte*>(a), const_cast<std::byte*>(b), c, thread_memory<scratch>(one.scratch)});
  }

private:
  struct part {
    std::int64_t rows, columns;
    onednn::callable call;
    std::size_t scratch;
  };
  part const* find(std::int64_t rows, std::int64_t columns) const {
    for (part const& one : parts_)
      if (one.rows == rows && one.columns == columns) return &one;
    return nullptr;
  }
  TESSERA_COLD bool add(product_work const& w, std::int64_t rows, std::int64_t columns) {
    auto const type = [](dtype of) {
      return of == dtype::float32 ? dnnl_f32 : of == dtype::bfloat16 ? dnnl_bf16 : dnnl_f16;
    };
    auto const matrix = [](dnnl_data_type_t type, std::int64_t m, std::int64_t row, std::int64_t n,
                           std::int64_t column) {
      dnnl_dims_t const dims{m, n}, steps{row, column};
      dnnl_memory_desc_t made = nullptr;
      dnnl_memory_desc_create_with_strides(&made, 2, dims, type, steps);
      return onednn::memory_desc(made);
    };
    auto const read = type(w.what.operand());
    auto const a = matrix(read, rows, w.m.a, w.k.extent, w.k.a), b = matrix(read, w.k.extent, w.k.b, columns, w.n.b),
               c = matrix(type(w.what.element), rows, w.m.c, columns, w.n.c);
    auto const scratch = onednn::scratch_is_given();
    dnnl_primitive_desc_t made = nullptr;
    if (!a || !b || !c ||
        dnnl_matmul_primitive_desc_create(&made, onednn::engine(), a.get(), b.get(), nullptr, c.get(), scratch.get()) !=
            dnnl_success)
      return false;
    onednn::primitive_desc const what(made);
    if (!multiplies_halves(what)) return false;
    auto const* const own = dnnl_primitive_desc_query_md(what.get(), dnnl_query_scratchpad_md, 0);
    onednn::callable call(
        what,
        {{DNNL_ARG_SRC, a.get()}, {DNNL_ARG_WEIGHTS, b.get()}, {DNNL_ARG_DST, c.get()}, {DNNL_ARG_SCRATCHPAD, own}});
    if (!call) return false;
    parts_.push_back({rows, columns, std::move(call), onednn::bytes_of(own)});
    return true;
  }
  // Its other kernels convert the operands, which half_product does faster.
  static bool multiplies_halves(onednn::primitive_desc const& what) {
    char const* text = nullptr;
    dnnl_primitive_desc_query(what.get(), dnnl_query_impl_info_str, 0, static_cast<void*>(&text));
    std::string_view const name(text ? text : "");
    auto const has = [name](std::string_view part) { return name.find(part) != name.npos; };
    return name.starts_with("brg:") && (has("bf16") || has("fp16") || has("amx"));
  }

  std::vector<part> parts_;  // of the sizes that panels have
};

#else

class product_by_onednn {
public:
  static std::shared_ptr<product_by_onednn const> of(product_work const&) { return nullptr; }
  void run(std::int64_t, std::int64_t, std::byte const*, std::byte const*, std::byte*) const {}
};

#endif

TESSERA_COLD inline void use_onednn(product_work& w) {
  w.library = product_by_onednn::of(w);
  if (w.library) w.way = product_way::onednn;
}

}  // namespace tessera::detail
