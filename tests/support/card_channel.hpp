// SPDX-License-Identifier: Apache-2.0
#pragma once
// A channel of stand-in cards: what NCCL is to GPUs. It takes memory of the card and no other, after the launches before it.

#include <tessera/comm/channel/data_channel.hpp>
#include <tessera/comm/diagnosis/channel_state.hpp>
#include <tessera/exec/device/stand_in.hpp>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace support {

namespace ts = tessera;

// Over a channel of host memory, on copies there. A message is complete when it was started.
class card_message final : public ts::detail::operation {
public:
  explicit card_message(ts::channel& over) : over_(over) {}

  void start() override {
    using ts::message_kind;
    std::int64_t const bytes = asked.bytes(), ranks = over_.size();
    switch (asked.kind) {
      case message_kind::all_reduce:
        return carry(bytes, bytes, [&](void* out, void const* in) {
          over_.all_reduce(out, in, asked.count, asked.element, asked.combine, "cards", asked.order).wait();
        });
      case message_kind::reduce_scatter:
        return carry(bytes * ranks, bytes, [&](void* out, void const* in) {
          over_.reduce_scatter(out, in, asked.count, asked.element, asked.combine, "cards", asked.order).wait();
        });
      case message_kind::exchange: return exchange();
      default: throw std::runtime_error("tessera: no message of arrays");
    }
  }
  bool advance() override { return true; }

private:
  static void require_card(void const* at) {
    if (!ts::detail::stand_in::owns(at)) throw std::runtime_error("tessera: an address of the host, for cards");
  }
  template <class F>
  void carry(std::int64_t given, std::int64_t made, F const& f) {
    if (given + made == 0) return f(nullptr, nullptr);
    require_card(asked.in);
    require_card(asked.out);
    std::vector<std::byte> in(static_cast<std::size_t>(given)), out(static_cast<std::size_t>(made));
    ts::detail::stand_in::copy_out(in.data(), asked.in, in.size());
    f(out.data(), in.data());
    ts::detail::stand_in::copy_in(asked.out, out.data(), out.size());
  }
  void exchange() {
    std::vector<std::byte> in, out;
    std::vector<ts::message_part> to(sent.begin(), sent.end()), from(received.begin(), received.end());
    for (auto& part : to) {
      std::size_t const first = in.size(), bytes = static_cast<std::size_t>(part.bytes);
      in.resize(first + bytes);
      if (bytes > 0) require_card(asked.in + part.offset);
      ts::detail::stand_in::copy_out(in.data() + first, asked.in + part.offset, bytes);
      part.offset = static_cast<std::int64_t>(first);
    }
    std::int64_t all = 0;
    for (auto& part : from) {
      part.offset = all;
      all += part.bytes;
    }
    out.resize(static_cast<std::size_t>(all));
    over_.exchange(out.data(), from, in.data(), to, "cards").wait();
    for (std::size_t r = 0; r < from.size(); ++r)
      ts::detail::stand_in::copy_in(asked.out + received[r].offset, out.data() + from[r].offset,
                                    static_cast<std::size_t>(from[r].bytes));
  }

  ts::channel& over_;
};

class card_channel final : public ts::channel {
public:
  explicit card_channel(std::shared_ptr<ts::channel> over)
      : channel(state_of(*over).job, state_of(*over).label + "/cards", over->rank(), state_of(*over).ranks),
        over_(std::move(over)) {
    auto const& below = state_of(*over_);
    state().id = ts::detail::mixed(below.id, 0x63617264);
    state().deadline = below.deadline;
    state().host_memory = false;
    ++made;
  }
  static std::shared_ptr<ts::channel> make_over(std::shared_ptr<ts::channel> over) {
    return std::make_shared<card_channel>(std::move(over));
  }
  static inline std::atomic<int> made{0};

private:
  std::unique_ptr<ts::detail::operation> make() override { return std::make_unique<card_message>(*over_); }
  std::shared_ptr<ts::channel> part(std::string, std::vector<int> const&) override {
    throw std::logic_error("channels of cards are not split");
  }
  std::shared_ptr<ts::channel> over_;
};

}  // namespace support
