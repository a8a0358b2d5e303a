// SPDX-License-Identifier: Apache-2.0
// A variational autoencoder of 8x8 images of soft spots: batch over dp, hidden units over mp, one key for each step. Over
// mp go the sums of each second layer and their transposes, over dp the gradients.

#include <tessera/nn.hpp>
#include <tessera/tessera.hpp>

#include <cstdio>
#include <tuple>

namespace {

namespace ts = tessera;
namespace nn = tessera::nn;
using ts::none;

struct dp : ts::axis {};
struct mp : ts::axis {};
using grid = ts::mesh<ts::explicit_axis<dp, 4>, ts::explicit_axis<mp, 2>>;
constexpr std::int64_t batch = 64, pixels = 64, hidden = 32, latent = 4;
constexpr auto by_rows = ts::out_sharding<ts::P<dp>>;

TESSERA_TREE(parameters, encoder, mean, log_var, decoder, pixels);

// A spot of its own place and width in each image, values in (0, 1].
constexpr auto make_images = [](auto key) {
  auto const place = ts::random::uniform<float, batch, 3, 1, 1>(key, 1, 6, ts::out_sharding<ts::P<dp>, grid>);
  auto const i = ts::arange<8>();
  auto const [y, x, width] = ts::unstack<1>(place);
  auto const far = ts::square(ts::expand_dims<1>(i) - y) + ts::square(i - x);
  return ts::reshape<batch, pixels>(ts::exp(-far / width));
};

constexpr ts::train::adam optimizer;

struct init {
  template <class From, class To, std::int64_t Inputs, std::int64_t Outputs>
  static constexpr auto linear(auto key) {
    return nn::linear_layer{
        ts::train::lecun_normal<float, Inputs, Outputs>(key, ts::out_sharding<ts::P<From, To>, grid>),
        ts::zeros<float, Outputs>(ts::out_sharding<ts::P<To>, grid>)};
  }
  constexpr auto operator()(auto key) const {
    auto const keys = ts::random::split<5>(key);
    auto const p = parameters{.encoder = linear<none, mp, pixels, hidden>(keys[0]),
                              .mean = linear<mp, none, hidden, latent>(keys[1]),
                              .log_var = linear<mp, none, hidden, latent>(keys[2]),
                              .decoder = linear<none, mp, latent, hidden>(keys[3]),
                              .pixels = linear<mp, none, hidden, pixels>(keys[4])};
    return std::tuple{p, optimizer.init(p)};
  }
};

constexpr auto encode(auto p, auto x) {
  auto const h = ts::tanh(p.encoder(x));
  return std::tuple{p.mean(h, by_rows), p.log_var(h, by_rows)};
}

constexpr auto decode(auto p, auto z) { return p.pixels(ts::tanh(p.decoder(z)), by_rows); }  // logits

constexpr auto negative_elbo = [](auto p, auto x, auto key) {
  auto const [mean, log_var] = encode(p, x);
  auto const z = mean + ts::exp(log_var / 2) * ts::random::normal_like(key, mean);
  auto const logits = decode(p, z);
  auto const fit = ts::sum<1>(ts::softplus(logits) - x * logits);
  auto const divergence = 0.5 * ts::sum<1>(ts::exp(log_var) + ts::square(mean) - 1 - log_var);
  return ts::mean(fit + divergence);
};

constexpr auto step = [](auto p, auto state, auto key) {
  auto const [data_key, noise_key] = ts::random::split(key);
  auto const [value, gradients] = ts::value_and_grad(negative_elbo)(p, make_images(data_key), noise_key);
  return std::tuple{optimizer.update(gradients, state, p, 3e-3), -value};
};

constexpr auto reconstruction_error = [](auto p, auto key) {
  auto const x = make_images(key);
  auto const y = ts::sigmoid(decode(p, std::get<0>(encode(p, x))));
  return ts::sqrt(ts::mean(ts::square(y - x)));
};

}  // namespace

int main(int argc, char** argv) {
  ts::runtime runtime{argc, argv};
  ts::use_mesh const here{ts::make_mesh<grid>(ts::devices())};
  auto [p, state] = ts::jit<init>(ts::random::key(0));
  auto key = ts::device_put(ts::random::key(1));
  constexpr auto const& sent = ts::comm_of<decltype(step), decltype(p), decltype(state), decltype(key)>;
  static_assert(sent.count<dp>() == 1 && sent.count<mp>() == 3);
  for (int i = 0; i <= 300; ++i) {
    auto const [next_key, step_key] = ts::random::split(key);
    auto const [next, elbo] = ts::jit<step>(p, state, step_key);
    key = next_key;
    std::tie(p, state) = next;
    if (i % 60 == 0) std::printf("step %3d  ELBO %.2f\n", i, elbo.item());
  }
  std::printf("reconstruction error %.4f\n", ts::jit<reconstruction_error>(p, ts::random::key(2)).item());
}
