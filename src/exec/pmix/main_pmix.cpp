// grappe-pmix NAMESPACE SIZE FOLDER: a PMIx server for the tasks of one step (`srun --mpi=pmix`).
//
// The shepherd starts it as the user, in the step's cgroup, and the library's own threads do the
// work. It leaves the environment that rank N needs in FOLDER/env.N ("NAME=value\0..."), prints
// "ready", and serves until its standard input ends. An abort is printed as "abort RANK MESSAGE".
// A program of its own, because the library is large and only MPI steps need it.
#include <fcntl.h>
#include <fmt/core.h>
#include <pmix.h>
#include <pmix_server.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

// A list of pmix_info_t that frees what the library allocated.
class InfoList {
 public:
  ~InfoList() {
    for (pmix_info_t& info : list_) PMIX_INFO_DESTRUCT(&info);
  }
  void add(const char* key, const void* value, pmix_data_type_t type) {
    pmix_info_t info;
    PMIX_INFO_CONSTRUCT(&info);
    PMIX_INFO_LOAD(&info, key, value, type);
    list_.push_back(info);
  }
  void add(const char* key, uint32_t value) { add(key, &value, PMIX_UINT32); }
  void add(const char* key, const std::string& value) { add(key, value.c_str(), PMIX_STRING); }
  void add_rank(const char* key, pmix_rank_t value) { add(key, &value, PMIX_PROC_RANK); }
  void add_list(const char* key, const InfoList& inner) {
    pmix_data_array_t array{PMIX_INFO, inner.list_.size(),
                            const_cast<pmix_info_t*>(inner.list_.data())};
    add(key, &array, PMIX_DATA_ARRAY);
  }
  pmix_info_t* data() { return list_.data(); }
  size_t size() const { return list_.size(); }

 private:
  std::vector<pmix_info_t> list_;
};

void say(const std::string& line) {
  [[maybe_unused]] const ssize_t n = write(1, line.data(), line.size());
}

pmix_status_t client_connected(const pmix_proc_t*, void*, pmix_info_t[], size_t, pmix_op_cbfunc_t,
                               void*) {
  return PMIX_OPERATION_SUCCEEDED;
}

pmix_status_t client_finalized(const pmix_proc_t*, void*, pmix_op_cbfunc_t, void*) {
  return PMIX_OPERATION_SUCCEEDED;
}

pmix_status_t abort_job(const pmix_proc_t* proc, void*, int, const char message[], pmix_proc_t[],
                        size_t, pmix_op_cbfunc_t, void*) {
  say(fmt::format("abort {} {}\n", proc->rank, message == nullptr ? "" : message));
  return PMIX_OPERATION_SUCCEEDED;
}

// Every rank is our client, so what the library has collected from them is all there is.
pmix_status_t fence(const pmix_proc_t[], size_t, const pmix_info_t[], size_t, char* data,
                    size_t size, pmix_modex_cbfunc_t done, void* context) {
  if (done != nullptr) done(PMIX_SUCCESS, data, size, context, nullptr, nullptr);
  return PMIX_SUCCESS;
}

pmix_status_t direct_modex(const pmix_proc_t*, const pmix_info_t[], size_t, pmix_modex_cbfunc_t,
                           void*) {
  return PMIX_ERR_NOT_FOUND;  // there is no other server that might know
}

pmix_server_module_t server_module() {
  pmix_server_module_t module{};
  module.client_connected2 = client_connected;
  module.client_finalized = client_finalized;
  module.abort = abort_job;
  module.fence_nb = fence;
  module.direct_modex = direct_modex;
  return module;
}

int give_up(const char* what, pmix_status_t status) {
  fmt::print(stderr, "grappe-pmix: {}: {}\n", what, PMIx_Error_string(status));
  return 1;
}

std::string own_host_name() {
  char name[256] = {};
  gethostname(name, sizeof name - 1);
  return name;
}

std::string rank_list(uint32_t size) {
  std::string list;
  for (uint32_t rank = 0; rank < size; ++rank) list += (rank > 0 ? "," : "") + std::to_string(rank);
  return list;
}

pmix_status_t describe_job(const char* name, uint32_t size, const std::string& folder) {
  const std::string host = own_host_name(), ranks = rank_list(size);
  char *nodes = nullptr, *placement = nullptr;
  PMIx_generate_regex(host.c_str(), &nodes);
  PMIx_generate_ppn(ranks.c_str(), &placement);
  InfoList job;
  job.add(PMIX_NODE_MAP, nodes, PMIX_REGEX);
  job.add(PMIX_PROC_MAP, placement, PMIX_REGEX);
  free(nodes);
  free(placement);
  for (const char* key :
       {PMIX_UNIV_SIZE, PMIX_JOB_SIZE, PMIX_LOCAL_SIZE, PMIX_NODE_SIZE, PMIX_MAX_PROCS}) {
    job.add(key, size);
  }
  job.add(PMIX_NUM_NODES, 1);
  job.add(PMIX_JOB_NUM_APPS, 1);
  job.add(PMIX_NODEID, uint32_t{0});
  job.add(PMIX_JOBID, std::string(name));
  job.add(PMIX_LOCAL_PEERS, ranks);
  job.add(PMIX_TMPDIR, folder);
  job.add(PMIX_NSDIR, folder);
  job.add_rank(PMIX_LOCALLDR, 0);
  for (uint32_t rank = 0; rank < size; ++rank) {
    InfoList one;
    const auto local = static_cast<uint16_t>(rank);
    one.add_rank(PMIX_RANK, rank);
    one.add(PMIX_APPNUM, uint32_t{0});
    one.add_rank(PMIX_APPLDR, 0);
    one.add_rank(PMIX_GLOBAL_RANK, rank);
    one.add_rank(PMIX_APP_RANK, rank);
    one.add(PMIX_LOCAL_RANK, &local, PMIX_UINT16);
    one.add(PMIX_NODE_RANK, &local, PMIX_UINT16);
    one.add(PMIX_NODEID, uint32_t{0});
    one.add(PMIX_HOSTNAME, host);
    job.add_list(PMIX_PROC_DATA, one);
  }
  return PMIx_server_register_nspace(name, static_cast<int>(size), job.data(), job.size(), nullptr,
                                     nullptr);
}

bool write_environment(const pmix_proc_t& proc, const std::string& folder) {
  char** entries = nullptr;
  if (PMIx_server_setup_fork(&proc, &entries) != PMIX_SUCCESS) return false;
  std::string text;
  for (char** entry = entries; entry != nullptr && *entry != nullptr; ++entry) {
    text.append(*entry).push_back('\0');
  }
  const std::string path = fmt::format("{}/env.{}", folder, proc.rank);
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const bool written =
      fd >= 0 && write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  close(fd);
  return written;
}

bool succeeded(pmix_status_t status) {
  return status == PMIX_SUCCESS || status == PMIX_OPERATION_SUCCEEDED;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const char* name = argv[1];
  const auto size = static_cast<uint32_t>(strtoul(argv[2], nullptr, 10));
  const std::string folder = argv[3];

  pmix_server_module_t module = server_module();
  InfoList settings;
  settings.add(PMIX_SERVER_TMPDIR, folder);
  settings.add(PMIX_SYSTEM_TMPDIR, folder);
  pmix_status_t status = PMIx_server_init(&module, settings.data(), settings.size());
  if (status != PMIX_SUCCESS) return give_up("PMIx_server_init", status);
  status = describe_job(name, size, folder);
  if (!succeeded(status)) return give_up("PMIx_server_register_nspace", status);

  for (uint32_t rank = 0; rank < size; ++rank) {
    pmix_proc_t proc;
    PMIX_PROC_LOAD(&proc, name, rank);
    status = PMIx_server_register_client(&proc, getuid(), getgid(), nullptr, nullptr, nullptr);
    if (!succeeded(status)) return give_up("PMIx_server_register_client", status);
    if (!write_environment(proc, folder)) return give_up("environment of a rank", PMIX_ERROR);
  }
  say("ready\n");
  char byte;
  while (read(0, &byte, 1) > 0) {
  }
  PMIx_server_finalize();
  return 0;
}
