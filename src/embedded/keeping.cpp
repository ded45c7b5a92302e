#include "embedded/keeping.h"

#include <time.h>

#include <filesystem>

namespace grappe::embedded {
namespace {

// "2026-11-16T09:12:09".
std::string stamp(int64_t time) {
  const time_t seconds = time;
  struct tm local {};
  localtime_r(&seconds, &local);
  char text[32];
  strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &local);
  return text;
}

Result<std::string> make_folder(const std::string& asked, const std::string& state_dir,
                                const char* name) {
  const std::string folder = asked.empty() ? state_dir + "/" + name : asked;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return fail("the service cannot write to " + folder + ": " + error.message());
  return folder;
}

}  // namespace

Result<v1::ArchiveResponse> archive_jobs(Store& store, const std::string& state_dir,
                                         const std::string& cluster, int64_t now,
                                         const v1::ArchiveRequest& request) {
  ArchiveWish wish;
  wish.jobs_before = std::min<int64_t>(request.jobs_before(), now);
  wish.steps_before = std::min<int64_t>(request.steps_before(), now);
  wish.now = now;
  v1::ArchiveResponse out;
  auto keep = [&](bool wanted, int64_t before, const char* table, std::string& file) -> Status {
    if (!wanted || !before) return {};
    auto folder = make_folder(request.folder(), state_dir, "archive");
    if (!folder) return tl::unexpected(folder.error());
    file = *folder + "/" + cluster + "_" + table + "_table_archive_" + stamp(before) + "_" +
           stamp(now);
    out.add_files(file);
    return {};
  };
  if (Status ok = keep(request.keep_jobs(), wish.jobs_before, "job", wish.jobs_file); !ok) {
    return tl::unexpected(ok.error());
  }
  if (Status ok = keep(request.keep_steps(), wish.steps_before, "step", wish.steps_file); !ok) {
    return tl::unexpected(ok.error());
  }
  // What goes is counted first.
  for (int64_t counted = 0, before = -1; counted < wish.jobs_before && counted != before;) {
    before = counted;
    auto mark = store.roll_up(now);
    if (!mark) return tl::unexpected(mark.error());
    counted = *mark;
  }
  auto done = store.archive(wish);
  if (!done) return tl::unexpected(done.error());
  out.set_jobs(done->jobs);
  out.set_steps(done->steps);
  return out;
}

Result<v1::ArchiveResponse> load_archived(Store& store, const v1::LoadArchiveRequest& request) {
  auto done = store.load_archive(request.file());
  if (!done) return tl::unexpected(done.error());
  v1::ArchiveResponse out;
  out.set_jobs(done->jobs);
  out.set_steps(done->steps);
  return out;
}

Result<v1::BackupResponse> back_up(Store& store, const std::string& state_dir, int64_t now,
                                   const v1::BackupRequest& request) {
  v1::BackupResponse out;
  out.set_file(request.file());
  if (out.file().empty()) {
    auto folder = make_folder("", state_dir, "backup");
    if (!folder) return tl::unexpected(folder.error());
    out.set_file(*folder + "/grappe-" + stamp(now) + ".db");
  }
  if (Status done = store.backup(out.file()); !done) return tl::unexpected(done.error());
  std::error_code error;
  out.set_bytes(std::filesystem::file_size(out.file(), error));
  return out;
}

}  // namespace grappe::embedded
