// SPDX-License-Identifier: Apache-2.0
#pragma once
// Stores a number in a buffer of its own.

#include <tessera/api/given_numbers.hpp>
#include <tessera/error/explain_text.hpp>
#include <tessera/exec/memory/blocks.hpp>

#include <cstring>
#include <stdexcept>

namespace tessera::detail {

TESSERA_ENGINE stored_array store_element(std::span<std::byte const> bytes, dtype element) {
  array_value facts;
  facts.element = element;
  stored_array stored{facts, buffer(bytes.size())};
  copy_bytes(stored.memory.data(), bytes.data(), bytes.size(), true);
  return stored;
}
TESSERA_ENGINE stored_array store_number(number_value const& n, dtype element, bool asked) {
  if (!asked && !fits(n, element)) throw std::out_of_range(explain(misfit(n, element), "number", nullptr, nullptr, {}));
  std::byte bytes[16]{};
  auto const put = [&](auto const& value) { std::memcpy(bytes, &value, sizeof(value)); };
  switch (element) {
    case dtype::float8_e4m3fn:
    case dtype::float8_e5m2:
    case dtype::float16:
    case dtype::bfloat16:
      with_small_float(element, [&]<class T>(std::type_identity<T>) {
        if constexpr (rounds_once(dtype_of<T>()))
          put(T(real_of(n)));
        else
          put(T(static_cast<float>(real_of(n))));
      });
      break;
    case dtype::float32:
    case dtype::complex64: put(static_cast<float>(real_of(n))); break;
    case dtype::float64:
    case dtype::complex128: put(real_of(n)); break;
    default: put(integer_in(n, element));  // little-endian: the low bytes come first
  }
  return store_element({bytes, static_cast<std::size_t>(bytes_of(element))}, element);
}

}  // namespace tessera::detail
