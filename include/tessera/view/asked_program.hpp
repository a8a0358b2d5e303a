// SPDX-License-Identifier: Apache-2.0
#pragma once
// The program that explain describes, without its types, and the functions of the engine that describe it: the text in
// engine/view/explained.hpp, the pictures in engine/view/plan_drawing.hpp and engine/view/explain_program.hpp.

#include <tessera/graph/graph.hpp>

#include <string>

namespace tessera::detail {

// A traced program without unknown sizes, its name, and the names of its inputs, a line each.
struct asked_program {
  graph_view traced;
  std::string name, inputs;
};
std::string explanation(asked_program const& program);
std::string explanation_html(asked_program const& program);
std::string explanation_svg(asked_program const& program);
std::string explanation_dot(asked_program const& program);

}  // namespace tessera::detail
