// What tasks write, on its way to srun's own output or to files.
//
// Unless --unbuffered, lines go out whole. With --label each begins with the number of its task,
// padded to the width of the highest.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/unique_fd.h"

namespace grappe {

// One descriptor to write to. A file takes everything at once; a pipe or terminal takes what it
// can, so that a slow reader does not keep srun from its signals.
class OutputFile {
 public:
  explicit OutputFile(int fd);       // not ours: standard output, standard error
  explicit OutputFile(UniqueFd fd);  // closed at the end

  void add(std::string_view data);
  bool has_backlog() const { return backlog() > 0; }
  size_t backlog() const { return backlog_.size() - written_; }
  // Writes a part of the backlog; when poll() has said that it can.
  void write_some();
  // The reader is gone: what comes is dropped.
  bool broken() const { return broken_; }
  int fd() const { return fd_; }

 private:
  void write_all();

  UniqueFd owned_;
  int fd_;
  size_t most_at_once_;
  bool at_once_;
  bool broken_ = false;
  std::string backlog_;
  size_t written_ = 0;  // of the backlog
};

class StepOutput {
 public:
  enum Stream { kOut, kErr };

  StepOutput(uint32_t ntasks, bool labelled, bool unbuffered);

  OutputFile* add_file(std::unique_ptr<OutputFile> file);
  // Where a stream of a task goes; null drops it. At the start everything is dropped.
  void route(Stream stream, uint32_t task, OutputFile* file);

  void data(Stream stream, uint32_t task, std::string_view bytes);
  // The last line may lack its end.
  void end(Stream stream, uint32_t task);
  void end_all();

  const std::vector<std::unique_ptr<OutputFile>>& files() const { return files_; }
  size_t backlog() const;

 private:
  struct Source {
    OutputFile* file = nullptr;
    std::string partial;
  };
  Source* source(Stream stream, uint32_t task);
  void emit(Source& source, uint32_t task, std::string_view text);

  std::vector<std::unique_ptr<OutputFile>> files_;
  std::vector<Source> sources_[2];
  int label_width_ = 0;  // 0: no labels
  bool unbuffered_;
};

}  // namespace grappe
