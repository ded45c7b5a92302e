// The lines of a text file, compressed by gzip or not. The only file that knows zlib.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"

namespace grappe::sim {

class Lines {
 public:
  static Result<Lines> open(const std::string& path);

  // False at the end. The line comes without its end.
  Result<bool> next(std::string& line);
  uint64_t number() const { return number_; }  // of the line read last, from 1
  // "FILE:12: ", for messages.
  std::string place() const;

 private:
  struct Close {
    void operator()(void* file) const;
  };

  Lines(std::string path, void* file) : path_(std::move(path)), file_(file) {}

  std::string path_;
  std::unique_ptr<void, Close> file_;
  uint64_t number_ = 0;
};

}  // namespace grappe::sim
