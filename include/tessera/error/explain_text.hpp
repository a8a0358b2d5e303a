// SPDX-License-Identifier: Apache-2.0
#pragma once
// A refusal as run-time text, with all names and numbers: what dynamic sizes throw, what why_text<F, Args...>() says.
//   tessera: add: dimension 0 is split over dp by one operand and over mp by the other.
//     operands: float32[8@dp,4], float32[8@mp,4] on mesh (dp: 4, mp: 2)
//     at model.cpp:11
//     Fix: reshard<P<dp>>(rhs) first; that moves at most 64 bytes per device.

#include <tessera/error/sentence.hpp>

#include <stdexcept>
#include <string>

namespace tessera {

// `rhs` may be null; `file` is empty if no line is known. A template, as all functions that make text for a program
// that runs: it is not compiled unless it is called.
template <class Text = std::string>
Text explain(verdict const& what, std::string_view op, array_value const* lhs, array_value const* rhs,
             mesh_value const& mesh, std::string_view file = {}, std::uint32_t line = 0) {
  error::told const about{what, op, lhs, rhs, mesh};
  Text text = "tessera: ";
  text += op;
  text += ": ";
  error::say_what(text, about);
  if (lhs) {
    text += rhs ? "\n  operands: " : "\n  operand: ";
    describe_to(text, *lhs, mesh);
    if (rhs) {
      text += ", ";
      describe_to(text, *rhs, mesh);
    }
    error::say_mesh(text, mesh);
  }
  if (!file.empty()) {
    text += "\n  at ";
    text += file.substr(file.rfind('/') + 1);
    text += ':';
    append_number(text, line);
  }
  text += "\n  Fix: ";
  error::say_fix(text, about);
  return text;
}

// A graph's refusal (graph/builder.hpp).
template <class Refusal>
  requires requires(Refusal const& r) { r.what.why, r.op->name, r.at.line, r.operands; }
std::string explain(Refusal const& r, mesh_value const& mesh) {
  return explain(r.what, r.op ? r.op->name : "operation", r.operands > 0 ? &r.lhs : nullptr,
                 r.operands > 1 ? &r.rhs : nullptr, mesh, r.at.file, r.at.line);
}

// Thrown where sizes, and so the refusal, are only known when the program runs.
class refused_error : public std::invalid_argument {
public:
  template <class Text = std::string>
  refused_error(verdict const& what, std::string_view op, array_value const& operand, mesh_value const& mesh)
      : std::invalid_argument(explain<Text>(what, op, &operand, nullptr, mesh)), what_(what) {}
  template <class Refusal>
  refused_error(Refusal const& refused, mesh_value const& mesh)
      : std::invalid_argument(explain(refused, mesh)), what_(refused.what) {}
  reason why() const { return what_.why; }
  verdict const& judged() const { return what_; }

private:
  verdict what_;
};

}  // namespace tessera
