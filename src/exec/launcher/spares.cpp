#include "exec/launcher/spares.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "exec/os/files.h"

namespace grappe::exec {
namespace {

constexpr size_t kMostOfOneOwner = 128;
constexpr size_t kMost = 1024;

}  // namespace

Result<Spares> Spares::open(const std::string& path) {
  if (mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) return fail_errno("make " + path, errno);
  Spares spares;
  spares.dir_.reset(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat info {};
  if (!spares.dir_ || fstat(spares.dir_.get(), &info) != 0)
    return fail_errno("open " + path, errno);
  if (info.st_uid != geteuid() || (info.st_mode & 077) != 0) {
    return fail(fmt::format("{} must belong to uid {} alone", path, geteuid()));
  }
  for (const std::string& name : list_dir(spares.dir_.get())) {
    (void)remove_tree(spares.dir_.get(), name);
  }
  return spares;
}

bool Spares::take(uid_t owner, int dir, const std::string& name) {
  const auto mine = names_.find(owner);
  if (mine == names_.end()) return false;
  const std::string spare = std::move(mine->second.back());
  mine->second.pop_back();
  if (mine->second.empty()) names_.erase(mine);
  --count_;
  return renameat2(dir_.get(), spare.c_str(), dir, name.c_str(), RENAME_NOREPLACE) == 0;
}

bool Spares::keep(uid_t owner, int dir, const std::string& name) {
  std::vector<std::string>& mine = names_[owner];
  std::string spare = std::to_string(made_++);
  if (count_ >= kMost || mine.size() >= kMostOfOneOwner ||
      renameat(dir, name.c_str(), dir_.get(), spare.c_str()) != 0) {
    if (mine.empty()) names_.erase(owner);
    return false;
  }
  mine.push_back(std::move(spare));
  ++count_;
  return true;
}

}  // namespace grappe::exec
