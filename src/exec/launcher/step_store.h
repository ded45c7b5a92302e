// What the launcher keeps in files.
//
//   STATE/steps/12.batch.0/exit           how the step ended (exec/shepherd/exit_record.h)
//   STATE/steps/12.batch.0/slurm_script   the batch script, owned by the user
//   STATE/jobs/12                         what cleaning up after the job needs (JobRecord)
//   STATE/spare/                          folders and records of ended ones (spares.h)
//   RUN/steps/12.batch.0                  the step's socket, owned by the user
//   RUN/steps/12.0.0.pmix/                what the PMIx server of an MPI step leaves, the user's
//
// Every folder belongs to root and can be entered, but not listed, by users. A step exists while
// its folder in STATE does.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"
#include "exec/launcher/spares.h"
#include "exec/protocol.h"
#include "exec/shepherd/exit_record.h"

namespace grappe::exec {

struct StepFiles {
  UniqueFd listener;
  UniqueFd exit_record;
  std::string script_path;  // empty: no batch step
  std::string pmix_dir;     // empty: no PMIx step
};

class StepStore {
 public:
  static Result<StepStore> open(const std::string& state_dir, const std::string& run_dir);

  // Makes the folders and files of a step that does not exist yet. On failure nothing stays.
  Result<StepFiles> create(const StepLaunch& launch, bool owned_by_user);
  // `owner` is the uid that it was made for, if that is known.
  void remove(StepKey key, std::optional<uid_t> owner = std::nullopt);
  ExitRecord read(StepKey key) const;
  std::vector<StepKey> list() const;
  // To the shepherd of a step; fails when there is none.
  Result<UniqueFd> connect(StepKey key) const;

  // Before anything of the job is made; after that, update_job.
  Status save_job(const JobRecord& record);
  Status update_job(const JobRecord& record);
  void remove_job(uint32_t job_id);
  std::vector<JobRecord> jobs() const;

 private:
  Status create_folder(const StepLaunch& launch, const std::string& name);
  Status create_script(const std::string& name, const StepLaunch& launch, bool owned_by_user);
  Result<UniqueFd> open_script(const std::string& path, const StepLaunch& launch,
                               bool owned_by_user);
  Result<UniqueFd> create_socket(const std::string& name, const StepLaunch& launch,
                                 bool owned_by_user);
  Result<StepFiles> fill(const StepLaunch& launch, bool owned_by_user);

  Status create_pmix_dir(const std::string& name, const StepLaunch& launch, bool owned_by_user);

  std::string state_path_, run_path_;
  UniqueFd steps_, jobs_, sockets_;
  Spares spares_;
};

}  // namespace grappe::exec
