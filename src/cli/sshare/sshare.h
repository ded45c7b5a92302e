// sshare: who is entitled to how much, and who has used how much.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "cli/calls.h"
#include "cli/format/report_table.h"
#include "grappe/v1/share.pb.h"

namespace grappe {

struct SshareOptions {
  v1::SharesRequest request;
  std::string format;
  std::string clusters;
  bool all_users = false, users_only = false, partitions = false, long_form = false;
  bool no_header = false, list_fields = false;
  ReportStyle style;
  int verbosity = 0;
};

struct SshareContext {
  const v1::SharesResponse& answer;
  uint32_t top = 0;      // the depth that stands at the margin
  bool indented = true;  // accounts by their depth
};

struct SshareField {
  std::string_view name;
  int width;  // below zero: to the left
  std::string (*value)(const v1::ShareInfo& share, const SshareContext& context);
};
std::span<const SshareField> sshare_fields();

// The code to exit with, when there is nothing left to do.
std::optional<int> read_sshare_options(int argc, char** argv, SshareOptions& options);

int sshare(SshareOptions options, const std::string& me, Calls& calls);

}  // namespace grappe
