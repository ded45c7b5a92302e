// Room for one message at a time of a long list: its parts are made and dropped together, without
// asking the heap for each.
//
//   MessageArena arena;
//   for (...) {
//     v1::JobRecord& job = arena.next<v1::JobRecord>();  // the one before is gone
//   }
#pragma once

#include <google/protobuf/arena.h>

#include <array>

namespace grappe {

class MessageArena {
 public:
  MessageArena() : arena_(options()) {}

  template <class Message>
  Message& next() {
    arena_.Reset();
    return *google::protobuf::Arena::CreateMessage<Message>(&arena_);
  }

 private:
  google::protobuf::ArenaOptions options() {
    google::protobuf::ArenaOptions out;
    out.initial_block = room_.data();
    out.initial_block_size = room_.size();
    return out;
  }

  alignas(8) std::array<char, 16 * 1024> room_;
  google::protobuf::Arena arena_;
};

}  // namespace grappe
