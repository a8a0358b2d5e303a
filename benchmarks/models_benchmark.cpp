// SPDX-License-Identifier: Apache-2.0
// nightly
// Training steps of models as people run them: loss, gradient and update, on one device, and with the data over eight. And two
// stencils.

#include "models/convnet.hpp"
#include "models/embeddings.hpp"
#include "models/experts.hpp"
#include "models/graph_attention.hpp"
#include "models/gru.hpp"
#include "models/heat.hpp"
#include "models/state_space.hpp"
#include "models/stencil.hpp"
#include "models/transformer.hpp"

using namespace cases;

int main(int argc, char** argv) {
  return main_of(argc, argv, 8, [] {
    add("models.convnet layout=nchw devices=1", convnet::run<false, 1>);
    add("models.convnet layout=nhwc devices=1", convnet::run<true, 1>);
    add("models.convnet layout=nchw devices=8", convnet::run<false, 8>);
    add("models.convnet layout=nhwc devices=8", convnet::run<true, 8>);
    add("models.transformer dtype=float32 devices=1", transformer::run<float, 1>);
    add("models.transformer dtype=float32 devices=8", transformer::run<float, 8>);
    add("models.transformer dtype=bfloat16 devices=1", transformer::run<ts::bfloat16, 1>);
    add("models.transformer dtype=bfloat16 devices=8", transformer::run<ts::bfloat16, 8>);
    add("models.gru devices=1", gru::run<1>);
    add("models.gru devices=8", gru::run<8>);
    add("models.experts devices=1", experts::run);
    add("models.embeddings devices=1", embeddings::run);
    add("models.state_space form=loop devices=1", state_space::run<false>);
    add("models.state_space form=prefixes devices=1", state_space::run<true>);
    add("models.graph_attention devices=1", graph_attention::run);
    add("models.stencil devices=1", stencil::run<1>);
    add("models.stencil devices=8", stencil::run<8>);
    add("models.heat devices=1", heat::run);
  });
}
