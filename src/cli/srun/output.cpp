#include "cli/srun/output.h"

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

bool never_blocks(int fd) {
  struct stat info {};
  return fstat(fd, &info) == 0 && (S_ISREG(info.st_mode) || S_ISBLK(info.st_mode));
}

}  // namespace

OutputFile::OutputFile(int fd) : fd_(fd), at_once_(never_blocks(fd)) {}

OutputFile::OutputFile(UniqueFd fd)
    : owned_(std::move(fd)), fd_(owned_.get()), at_once_(never_blocks(fd_)) {}

void OutputFile::add(std::string_view data) {
  if (broken_) return;
  backlog_ += data;
  if (at_once_) return write_all();
  // Now, if that is possible: lines that srun itself writes come after it.
  pollfd wait{fd_, POLLOUT, 0};
  while (!backlog_.empty() && poll(&wait, 1, 0) > 0) write_some();
}

void OutputFile::write_all() {
  size_t done = 0;
  while (done < backlog_.size()) {
    const ssize_t n = write(fd_, backlog_.data() + done, backlog_.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      broken_ = true;
      break;
    }
    done += static_cast<size_t>(n);
  }
  backlog_.clear();
}

void OutputFile::write_some() {
  // As much as a pipe that can be written to takes without waiting.
  const size_t size = std::min<size_t>(backlog_.size(), PIPE_BUF);
  const ssize_t n = write(fd_, backlog_.data(), size);
  if (n < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (n < 0) {
    broken_ = true;
    backlog_.clear();
    return;
  }
  backlog_.erase(0, static_cast<size_t>(n));
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
