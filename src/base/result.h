// The value that every operation which may fail returns.
//
// An expected failure is a value, a bug is an assert, and an exception never leaves the adapter
// that met it. The message of an Error is written where the failing call is: what happened, to
// what, and where it helps, what to do.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

namespace grappe {

// `code` is a Slurm error number (model/slurm_error.h) when the failure has one, because scripts
// and exit codes depend on it; 0 otherwise. `notes` are further lines for the user, printed
// before the message (Slurm's "Memory specification can not be satisfied" is one).
struct Error {
  int code = 0;
  std::string message;
  std::vector<std::string> notes;
};

template <class T>
using Result = tl::expected<T, Error>;

using Status = Result<void>;

inline tl::unexpected<Error> fail(std::string message) {
  return tl::unexpected<Error>(Error{0, std::move(message), {}});
}
inline tl::unexpected<Error> fail(int code, std::string message) {
  return tl::unexpected<Error>(Error{code, std::move(message), {}});
}

// "open /x/y: No such file or directory", from errno at the place of the failing call.
tl::unexpected<Error> fail_errno(const std::string& what, int error_number);

}  // namespace grappe
