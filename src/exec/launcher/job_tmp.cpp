#include "exec/launcher/job_tmp.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "exec/os/files.h"

namespace grappe::exec {
namespace {

// A folder with this owner and mode. One that is there already is taken if it is root's or the
// owner's; anybody else's is refused.
Status make_owned_dir(const std::string& path, mode_t mode, uid_t uid, gid_t gid) {
  if (mkdir(path.c_str(), 0700) == 0) {
    // Ours, and nobody else's until we give it away. lchown, because in a folder that everybody
    // may write to something else could stand there by now.
    if (mode == 0700 && lchown(path.c_str(), uid, gid) == 0) return {};
  } else if (errno != EEXIST) {
    return fail_errno("make the folder " + path, errno);
  }
  const UniqueFd dir(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat info {};
  if (!dir || fstat(dir.get(), &info) != 0) return fail_errno("open " + path, errno);
  if (info.st_uid != geteuid() && info.st_uid != uid) {
    return fail(fmt::format("{} belongs to uid {}", path, info.st_uid));
  }
  if ((info.st_uid != uid || info.st_gid != gid) && fchown(dir.get(), uid, gid) != 0) {
    return fail_errno("give away " + path, errno);
  }
  if (fchmod(dir.get(), mode) != 0) return fail_errno("chmod " + path, errno);
  return {};
}

bool is_empty_dir_of(uid_t uid, const std::string& path) {
  const auto dir = open_dir(AT_FDCWD, path);
  struct stat info {};
  return dir && fstat(dir->get(), &info) == 0 && info.st_uid == uid && list_dir(dir->get()).empty();
}

}  // namespace

std::string JobTmp::user_dir() const {
  return fmt::format("{}/job_{}", parent, job_id);
}
std::string JobTmp::private_dir() const {
  return user_dir() + ".private";
}
std::string JobTmp::shm_dir() const {
  return fmt::format("/dev/shm/{}.job_{}", service_name, job_id);
}

std::vector<JobTmp::Shown> JobTmp::shown_inside() const {
  std::vector<Shown> result;
  std::vector<std::string> paths = shown;
  paths.push_back(user_dir());
  for (const std::string& path : paths) {
    for (const std::string hidden : {"/tmp/", "/var/tmp/"}) {
      if (path.starts_with(hidden)) {
        result.push_back({path, private_dir() + "/tmp/" + path.substr(hidden.size())});
      }
    }
  }
  return result;
}

Status JobTmp::create() const {
  const uid_t self = geteuid();
  if (spares) spares->take(uid, AT_FDCWD, user_dir());
  auto made = make_owned_dir(user_dir(), 0700, uid, gid);
  if (!made && access(parent.c_str(), F_OK) != 0) {
    if (auto done = make_dirs(parent, 0711); !done) return done;
    made = make_owned_dir(user_dir(), 0700, uid, gid);
  }
  if (!made || !is_private) return made;
  const struct {
    std::string path;
    mode_t mode;
  } dirs[] = {{private_dir(), 0700},
              {private_dir() + "/tmp", 01777},
              {shm_dir(), 0700},
              {shm_dir() + "/shm", 01777}};
  for (const auto& dir : dirs) {
    if (auto done = make_owned_dir(dir.path, dir.mode, self, getegid()); !done) return done;
  }
  for (const Shown& one : shown_inside()) {
    if (auto done = make_dirs(one.inside, 0755); !done) return done;
  }
  return {};
}

std::vector<BindMount> JobTmp::mounts() const {
  if (!is_private) return {};
  std::vector<BindMount> binds;
  for (const Shown& one : shown_inside()) binds.push_back({one.path, one.inside});
  binds.push_back({private_dir() + "/tmp", "/tmp"});
  binds.push_back({"/tmp", "/var/tmp"});
  binds.push_back({shm_dir() + "/shm", "/dev/shm"});
  return binds;
}

bool JobTmp::remove_if_empty() const {
  const auto gone = [](const std::string& path) {
    return rmdir(path.c_str()) == 0 || errno == ENOENT;
  };
  const bool kept =
      spares && is_empty_dir_of(uid, user_dir()) && spares->keep(uid, AT_FDCWD, user_dir());
  bool all = kept || gone(user_dir());
  if (is_private) {
    all = gone(private_dir() + "/tmp") && gone(private_dir()) && all;
    all = gone(shm_dir() + "/shm") && gone(shm_dir()) && all;
  }
  return all;
}

Status JobTmp::remove() const {
  Status result = remove_tree(user_dir());
  if (is_private) {
    for (const std::string& path : {private_dir(), shm_dir()}) {
      if (auto done = remove_tree(path); !done && result) result = done;
    }
  }
  return result;
}

}  // namespace grappe::exec
