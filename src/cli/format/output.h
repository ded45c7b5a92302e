// Standard output for tables: collected in memory and written 64 KB at a time, because a queue
// of 10,000 jobs is a megabyte and a write per line would cost more than all the rest.
#pragma once

#include <string>

namespace grappe {

class Output {
 public:
  explicit Output(int fd = 1) : fd_(fd) { text_.reserve(kChunk + 4096); }
  ~Output() { flush(); }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  // Append here; call `row_done` after each row.
  std::string& text() { return text_; }
  void row_done() {
    if (text_.size() >= kChunk) flush();
  }
  // A reader that went away (a closed pipe) is not an error: what is left is dropped.
  void flush();

 private:
  static constexpr size_t kChunk = 64 * 1024;
  int fd_;
  std::string text_;
};

}  // namespace grappe
