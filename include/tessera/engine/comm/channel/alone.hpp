// SPDX-License-Identifier: Apache-2.0
#pragma once
// The channel of a single rank: every call completes at once.

#include <tessera/comm/channel/alone.hpp>
#include <tessera/comm/diagnosis/private_board.hpp>
#include <tessera/engine/comm/channel/channel.hpp>

namespace tessera {

namespace detail {

class alone_channel final : public channel {
public:
  explicit alone_channel(std::shared_ptr<job> all, std::string label = "world")
      : channel(std::move(all), std::move(label), 0, {0}) {}

private:
  std::unique_ptr<operation> make() override { throw std::logic_error("tessera: one rank sends no messages."); }
  std::shared_ptr<channel> part(std::string label, std::vector<int> const&) override {
    return std::make_shared<alone_channel>(state().job, std::move(label));
  }
};

}  // namespace detail

TESSERA_ENGINE std::shared_ptr<channel> alone() {
  auto all = std::make_shared<detail::job>("alone", 0, detail::private_board::make(1), std::vector<int>{0},
                                           std::vector<std::string>{detail::host_name()});
  return std::make_shared<detail::alone_channel>(std::move(all));
}

}  // namespace tessera
