// The binary form of the launcher's messages and of the exit record: fixed-width little-endian
// numbers, strings and lists with a 32-bit count before them, nothing optional.
//
// A struct is described once, by a function `fields(archive, value)` that names its members in
// order; WireWriter and WireReader both walk it, so that the two directions can't disagree. The
// reader never reads past its input and never allocates more than the input could hold.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace grappe::exec {

static_assert(std::endian::native == std::endian::little, "numbers are sent as they are in memory");

class WireWriter {
 public:
  template <class... T>
  void operator()(const T&... values) {
    (put(values), ...);
  }
  std::string take() { return std::move(out_); }

 private:
  template <class T>
  void put(const T& value) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      char bytes[sizeof(T)];
      std::memcpy(bytes, &value, sizeof(T));
      out_.append(bytes, sizeof(T));
    } else {
      // The field lists take a mutable reference because the reader fills them; nothing is
      // changed here.
      fields(*this, const_cast<T&>(value));
    }
  }
  void put(const std::string& text) {
    put(static_cast<uint32_t>(text.size()));
    out_.append(text);
  }
  template <class T>
  void put(const std::vector<T>& list) {
    put(static_cast<uint32_t>(list.size()));
    for (const T& item : list) put(item);
  }
  template <class A, class B>
  void put(const std::pair<A, B>& pair) {
    put(pair.first);
    put(pair.second);
  }

  std::string out_;
};

class WireReader {
 public:
  explicit WireReader(std::string_view in) : in_(in) {}

  template <class... T>
  void operator()(T&... values) {
    (get(values), ...);
  }
  // True when everything was there and nothing is left over.
  bool complete() const { return ok_ && in_.empty(); }
  // For checks that a field list makes on what it has read.
  void require(bool condition) { ok_ = ok_ && condition; }

 private:
  template <class T>
  void get(T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      uint8_t byte = 0;
      get(byte);
      require(byte <= 1);
      value = byte == 1;
    } else if constexpr (std::is_enum_v<T>) {
      std::underlying_type_t<T> number = 0;
      get(number);
      require(number <= static_cast<std::underlying_type_t<T>>(last_of(T{})));
      if (ok_) value = static_cast<T>(number);
    } else if constexpr (std::is_arithmetic_v<T>) {
      if (!has(sizeof(T))) return;
      std::memcpy(&value, in_.data(), sizeof(T));
      in_.remove_prefix(sizeof(T));
    } else {
      fields(*this, value);
    }
  }
  void get(std::string& text) {
    const uint32_t size = count();
    if (!has(size)) return;
    text.assign(in_.data(), size);
    in_.remove_prefix(size);
  }
  template <class T>
  void get(std::vector<T>& list) {
    // Every item takes a byte or more, so a count beyond what is left is a lie.
    const uint32_t size = count();
    if (!has(size)) return;
    list.clear();
    for (uint32_t i = 0; i < size && ok_; ++i) get(list.emplace_back());
  }
  template <class A, class B>
  void get(std::pair<A, B>& pair) {
    get(pair.first);
    get(pair.second);
  }
  uint32_t count() {
    uint32_t size = 0;
    get(size);
    return ok_ ? size : 0;
  }
  bool has(size_t bytes) {
    require(in_.size() >= bytes);
    return ok_;
  }

  std::string_view in_;
  bool ok_ = true;
};

}  // namespace grappe::exec
