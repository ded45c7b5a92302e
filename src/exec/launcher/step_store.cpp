#include "exec/launcher/step_store.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <cerrno>

#include "exec/os/files.h"
#include "exec/step_name.h"

namespace grappe::exec {
namespace {

constexpr mode_t kEnterOnly = 0711;
constexpr char kScript[] = "/slurm_script";
constexpr char kExit[] = "/exit";
constexpr char kPmix[] = ".pmix";
constexpr uid_t kRecordOwner = static_cast<uid_t>(-1);  // nobody's: records of jobs

// A record that is used again must not be taken for that of the next step or job.
bool erase_record(int dir, const std::string& path) {
  constexpr char kNothing[64] = {};
  const UniqueFd fd(openat(dir, path.c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC));
  return fd && pwrite(fd.get(), kNothing, sizeof kNothing, 0) == sizeof kNothing;
}

// Makes `text` the whole of a file. Not emptied first: ext4 would write it to the disk when it is
// closed, for programs that replace a file that way.
bool write_over(int fd, std::string_view text) {
  size_t written = 0;
  while (written < text.size()) {
    const ssize_t n = write(fd, text.data() + written, text.size() - written);
    if (n < 0) return false;
    written += static_cast<size_t>(n);
  }
  struct stat info {};
  if (fstat(fd, &info) != 0) return false;
  return static_cast<size_t>(info.st_size) == written ||
         ftruncate(fd, static_cast<off_t>(written)) == 0;
}

// A socket address may be 107 bytes long and a path of ours longer: name the folder by its
// descriptor.
sockaddr_un address_in(int dir, const std::string& name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  fmt::format_to_n(address.sun_path, sizeof address.sun_path - 1, "/proc/self/fd/{}/{}", dir, name);
  return address;
}

}  // namespace

Result<StepStore> StepStore::open(const std::string& state_dir, const std::string& run_dir) {
  StepStore store;
  store.state_path_ = state_dir;
  store.run_path_ = run_dir;
  const struct {
    std::string path;
    mode_t mode;
    UniqueFd& fd;
  } dirs[] = {
      {state_dir + "/steps", kEnterOnly, store.steps_},
      {state_dir + "/jobs", 0700, store.jobs_},
      {run_dir + "/steps", kEnterOnly, store.sockets_},
  };
  // Where others delete, making a file is slow (spares.h).
  if (auto done = make_dirs(state_dir, kEnterOnly); !done) return tl::unexpected(done.error());
  if (const auto state = open_dir(AT_FDCWD, state_dir)) place_apart(state->get());
  for (const auto& dir : dirs) {
    if (auto done = make_dirs(dir.path, dir.mode); !done) return tl::unexpected(done.error());
    auto fd = open_dir(AT_FDCWD, dir.path);
    if (!fd) return tl::unexpected(fd.error());
    struct stat info {};
    fstat(fd->get(), &info);
    if (info.st_uid != geteuid() || (info.st_mode & 022) != 0) {
      return fail(fmt::format("{} must belong to uid {} and be writable by nobody else", dir.path,
                              geteuid()));
    }
    dir.fd = std::move(*fd);
  }
  auto spares = Spares::open(state_dir + "/spare");
  if (!spares) return tl::unexpected(spares.error());
  store.spares_ = std::move(*spares);
  return store;
}

Result<StepFiles> StepStore::create(const StepLaunch& launch, bool owned_by_user) {
  auto files = fill(launch, owned_by_user);
  if (!files) remove(launch.key);
  return files;
}

Status StepStore::create_folder(const StepLaunch& launch, const std::string& name) {
  if (spares_.take(launch.uid, steps_.get(), name)) return {};
  if (mkdirat(steps_.get(), name.c_str(), kEnterOnly) == 0) return {};
  // What an interrupted start left behind.
  if (errno == EEXIST) remove(launch.key);
  if (mkdirat(steps_.get(), name.c_str(), kEnterOnly) == 0) return {};
  return fail_errno("make the folder of step " + name, errno);
}

Result<StepFiles> StepStore::fill(const StepLaunch& launch, bool owned_by_user) {
  const std::string name = step_name(launch.key);
  if (auto done = create_folder(launch, name); !done) return tl::unexpected(done.error());
  StepFiles files;
  if (!launch.script.empty()) {
    if (auto done = create_script(name, launch, owned_by_user); !done) {
      return tl::unexpected(done.error());
    }
    files.script_path = fmt::format("{}/steps/{}{}", state_path_, name, kScript);
  }
  if (launch.mpi == MpiKind::kPmix) {
    if (auto done = create_pmix_dir(name, launch, owned_by_user); !done) {
      return tl::unexpected(done.error());
    }
    files.pmix_dir = fmt::format("{}/steps/{}{}", run_path_, name, kPmix);
  }
  auto listener = create_socket(name, launch, owned_by_user);
  if (!listener) return tl::unexpected(listener.error());
  files.listener = std::move(*listener);
  files.exit_record.reset(openat(steps_.get(), (name + kExit).c_str(),
                                 O_CREAT | O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!files.exit_record) return fail_errno("make the exit record of step " + name, errno);
  return files;
}

Status StepStore::create_pmix_dir(const std::string& name, const StepLaunch& launch,
                                  bool owned_by_user) {
  const std::string dir = name + kPmix;
  (void)remove_tree(sockets_.get(), dir);
  if (mkdirat(sockets_.get(), dir.c_str(), 0700) != 0 ||
      (owned_by_user &&
       fchownat(sockets_.get(), dir.c_str(), launch.uid, launch.gid, AT_SYMLINK_NOFOLLOW) != 0)) {
    return fail_errno("make the step's PMIx folder", errno);
  }
  return {};
}

// A file that is the user's. The script of an earlier step of that user is written over,
// unless the user did something to it that could get in our way: O_NONBLOCK does not wait for the
// holder of a lease.
Result<UniqueFd> StepStore::open_script(const std::string& path, const StepLaunch& launch,
                                        bool owned_by_user) {
  constexpr int kHow = O_WRONLY | O_NOFOLLOW | O_CLOEXEC;
  const uid_t owner = owned_by_user ? launch.uid : geteuid();
  UniqueFd fd(openat(steps_.get(), path.c_str(), kHow | O_NONBLOCK));
  struct stat info {};
  if (fd && fstat(fd.get(), &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == owner &&
      info.st_nlink == 1 && fchmod(fd.get(), 0700) == 0) {
    return fd;
  }
  unlinkat(steps_.get(), path.c_str(), 0);
  fd.reset(openat(steps_.get(), path.c_str(), kHow | O_CREAT | O_EXCL, 0700));
  if (!fd) return fail_errno("make the batch script", errno);
  if (owned_by_user && fchown(fd.get(), launch.uid, launch.gid) != 0) {
    return fail_errno("give the batch script to its user", errno);
  }
  return fd;
}

Status StepStore::create_script(const std::string& name, const StepLaunch& launch,
                                bool owned_by_user) {
  const auto fd = open_script(name + kScript, launch, owned_by_user);
  if (!fd) return tl::unexpected(fd.error());
  if (!write_over(fd->get(), launch.script)) return fail_errno("write the batch script", errno);
  return {};
}

Result<UniqueFd> StepStore::create_socket(const std::string& name, const StepLaunch& launch,
                                          bool owned_by_user) {
  UniqueFd fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const sockaddr_un address = address_in(sockets_.get(), name);
  const auto* generic = reinterpret_cast<const sockaddr*>(&address);
  int bound = fd ? bind(fd.get(), generic, sizeof address) : -1;
  if (bound != 0 && errno == EADDRINUSE && unlinkat(sockets_.get(), name.c_str(), 0) == 0) {
    bound = bind(fd.get(), generic, sizeof address);
  }
  // The launcher's umask leaves writing, which connecting needs, to the owner.
  if (bound != 0 ||
      (owned_by_user &&
       fchownat(sockets_.get(), name.c_str(), launch.uid, launch.gid, AT_SYMLINK_NOFOLLOW) != 0) ||
      listen(fd.get(), 16) != 0) {
    return fail_errno("make the step's socket", errno);
  }
  return fd;
}

void StepStore::remove(StepKey key, std::optional<uid_t> owner) {
  const std::string name = step_name(key);
  // First what can be made again, then the folder that says that the step exists.
  unlinkat(sockets_.get(), name.c_str(), 0);
  (void)remove_tree(sockets_.get(), name + kPmix);
  if (owner && erase_record(steps_.get(), name + kExit) &&
      spares_.keep(*owner, steps_.get(), name)) {
    return;
  }
  for (const char* file : {kScript, kExit}) {
    unlinkat(steps_.get(), (name + file).c_str(), 0);
  }
  if (unlinkat(steps_.get(), name.c_str(), AT_REMOVEDIR) != 0 && errno != ENOENT) {
    (void)remove_tree(steps_.get(), name);
  }
}

ExitRecord StepStore::read(StepKey key) const {
  return read_exit_record(read_file(steps_.get(), step_name(key) + kExit).value_or(""));
}

std::vector<StepKey> StepStore::list() const {
  std::vector<StepKey> keys;
  for (const std::string& name : list_dir(steps_.get())) {
    if (const auto key = parse_step_name(name)) keys.push_back(*key);
  }
  return keys;
}

Result<UniqueFd> StepStore::connect(StepKey key) const {
  const std::string name = step_name(key);
  UniqueFd fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const sockaddr_un address = address_in(sockets_.get(), name);
  if (!fd ||
      ::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    return fail_errno("connect to the shepherd of step " + name, errno);
  }
  return fd;
}

// A record that is torn by our death is not read again, and there is nothing to clean up yet.
Status StepStore::save_job(const JobRecord& record) {
  const std::string name = std::to_string(record.job_id), text = encode_job_record(record);
  spares_.take(kRecordOwner, jobs_.get(), name);
  const UniqueFd fd(openat(jobs_.get(), name.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  if (!fd || !write_over(fd.get(), text)) {
    return fail_errno("write the record of job " + name, errno);
  }
  return {};
}

Status StepStore::update_job(const JobRecord& record) {
  return replace_file(jobs_.get(), std::to_string(record.job_id), encode_job_record(record), 0600);
}

void StepStore::remove_job(uint32_t job_id) {
  const std::string name = std::to_string(job_id);
  if (erase_record(jobs_.get(), name) && spares_.keep(kRecordOwner, jobs_.get(), name)) return;
  unlinkat(jobs_.get(), name.c_str(), 0);
}

std::vector<JobRecord> StepStore::jobs() const {
  std::vector<JobRecord> records;
  for (const std::string& name : list_dir(jobs_.get())) {
    auto record = decode_job_record(read_file(jobs_.get(), name).value_or(""));
    if (record && std::to_string(record->job_id) == name) records.push_back(std::move(*record));
  }
  return records;
}

}  // namespace grappe::exec
