// Small files as text.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "base/result.h"

namespace grappe {

// Fails on a file that cannot be read or is longer than `max_bytes`.
Result<std::string> read_file(const std::filesystem::path& path, std::size_t max_bytes);

// One of the kernel's little files, without the line end; nothing when it is not there.
std::optional<std::string> read_kernel_file(const std::filesystem::path& path);

}  // namespace grappe
