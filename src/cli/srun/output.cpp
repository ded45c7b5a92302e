#include "cli/srun/output.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>

namespace grappe {
namespace {

// A line longer than this goes out in parts.
constexpr size_t kLongestLine = 64 << 10;
// What has been written is forgotten in pieces of this size.
constexpr size_t kForget = 1 << 20;

bool never_blocks(int fd) {
  struct stat info {};
  return fstat(fd, &info) == 0 && (S_ISREG(info.st_mode) || S_ISBLK(info.st_mode));
}

}  // namespace

OutputFile::OutputFile(int fd) : fd_(fd), most_at_once_(PIPE_BUF), at_once_(never_blocks(fd)) {
  if (at_once_) return;
  // A descriptor of its own may be set to never wait; others share the standard ones.
  const std::string name = "/proc/self/fd/" + std::to_string(fd);
  owned_ = UniqueFd(open(name.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!owned_) return;
  fd_ = owned_.get();
  most_at_once_ = 1 << 20;
}

OutputFile::OutputFile(UniqueFd fd)
    : owned_(std::move(fd)),
      fd_(owned_.get()),
      most_at_once_(PIPE_BUF),
      at_once_(never_blocks(fd_)) {}

void OutputFile::add(std::string_view data) {
  if (broken_) return;
  if (written_ > kForget) {
    backlog_.erase(0, written_);
    written_ = 0;
  }
  backlog_ += data;
  if (at_once_) return write_all();
  // Now, if that is possible: lines that srun itself writes come after it.
  pollfd wait{fd_, POLLOUT, 0};
  while (has_backlog() && poll(&wait, 1, 0) > 0) write_some();
}

void OutputFile::write_all() {
  while (has_backlog()) {
    const ssize_t n = write(fd_, backlog_.data() + written_, backlog());
    if (n < 0 && errno == EINTR) continue;
    broken_ = n < 0;
    written_ = broken_ ? backlog_.size() : written_ + static_cast<size_t>(n);
  }
  backlog_.clear();
  written_ = 0;
}

void OutputFile::write_some() {
  // As much as can be written without waiting: what a ready pipe surely takes, where it could.
  const ssize_t n = write(fd_, backlog_.data() + written_, std::min(backlog(), most_at_once_));
  if (n < 0 && (errno == EINTR || errno == EAGAIN)) return;
  broken_ = n < 0;
  written_ = broken_ ? backlog_.size() : written_ + static_cast<size_t>(n);
  if (has_backlog()) return;
  backlog_.clear();
  written_ = 0;
}

StepOutput::StepOutput(uint32_t ntasks, bool labelled, bool unbuffered) : unbuffered_(unbuffered) {
  for (auto& sources : sources_) sources.resize(ntasks);
  if (labelled) label_width_ = static_cast<int>(std::to_string(ntasks ? ntasks - 1 : 0).size());
}

OutputFile* StepOutput::add_file(std::unique_ptr<OutputFile> file) {
  files_.push_back(std::move(file));
  return files_.back().get();
}

void StepOutput::route(Stream stream, uint32_t task, OutputFile* file) {
  if (Source* found = source(stream, task)) found->file = file;
}

StepOutput::Source* StepOutput::source(Stream stream, uint32_t task) {
  return task < sources_[stream].size() ? &sources_[stream][task] : nullptr;
}

void StepOutput::emit(Source& source, uint32_t task, std::string_view text) {
  if (label_width_ == 0) return source.file->add(text);
  std::string label = std::to_string(task);
  label.insert(0, static_cast<size_t>(label_width_) - std::min<size_t>(label_width_, label.size()),
               ' ');
  label += ": ";
  std::string out;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size() - 1);
    out.append(label).append(text.substr(0, end + 1));
    if (out.back() != '\n') out += '\n';
    text.remove_prefix(end + 1);
  }
  source.file->add(out);
}

void StepOutput::data(Stream stream, uint32_t task, std::string_view bytes) {
  Source* from = source(stream, task);
  if (!from || !from->file || bytes.empty()) return;
  if (unbuffered_) return emit(*from, task, bytes);
  const size_t last = bytes.rfind('\n');
  if (last == std::string_view::npos) {
    from->partial += bytes;
    if (from->partial.size() < kLongestLine) return;
    emit(*from, task, from->partial);
    from->partial.clear();
    return;
  }
  if (from->partial.empty()) {
    emit(*from, task, bytes.substr(0, last + 1));
  } else {
    emit(*from, task, from->partial.append(bytes.substr(0, last + 1)));
  }
  from->partial = bytes.substr(last + 1);
}

void StepOutput::end(Stream stream, uint32_t task) {
  Source* from = source(stream, task);
  if (!from || !from->file || from->partial.empty()) return;
  emit(*from, task, from->partial);
  from->partial.clear();
}

void StepOutput::end_all() {
  for (Stream stream : {kOut, kErr}) {
    for (uint32_t task = 0; task < sources_[stream].size(); ++task) end(stream, task);
  }
}

size_t StepOutput::backlog() const {
  size_t most = 0;
  for (const auto& file : files_) most = std::max(most, file->backlog());
  return most;
}

}  // namespace grappe
