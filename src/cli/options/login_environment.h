// --get-user-env, and every --export but ALL: the variables that a login of the user would set.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string_view>

#include "base/result.h"
#include "cli/options/job_environment.h"

namespace grappe {

// What --get-user-env=[timeout][mode] says: mode S is a shell that is not a login shell.
struct LoginMode {
  std::chrono::seconds patience{8};
  bool login = true;
};
LoginMode parse_login_mode(std::string_view text);

// Runs the user's shell with an otherwise empty environment and asks it for its variables. As
// root for another user: the shell runs as that user.
Result<Environment> login_environment(uid_t uid, const LoginMode& mode);

// The variables of a login below those that the job has already.
void add_missing(const Environment& login, Environment& environment);

}  // namespace grappe
