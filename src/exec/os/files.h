// Small files and folders, as the launcher and the shepherd need them. Everything is relative to
// an open folder where it matters, so that no path is walked twice.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"

namespace grappe::exec {

// The whole of a small file; none if it can't be read.
std::optional<std::string> read_file(int dir, const std::string& path);
std::optional<std::string> read_file(const std::string& path);

// One write(2) into a file that exists, as the files of a cgroup want it.
Status write_file(int dir, const std::string& path, const std::string& text);
Status write_file(const std::string& path, const std::string& text);

// Written beside and renamed into place: a reader sees all of it or none.
Status replace_file(int dir, const std::string& name, const std::string& text, mode_t mode);

// Makes `path` and its parents; those made get `mode`.
Status make_dirs(const std::string& path, mode_t mode);

Result<UniqueFd> open_dir(int dir, const std::string& path);

// Asks ext4 to place the folders that will be made in `dir` apart from it and from each other, as
// those of /home are. Elsewhere it does nothing.
void place_apart(int dir);

// The names in a folder, without "." and "..".
std::vector<std::string> list_dir(int dir);
std::vector<std::string> list_dir(const std::string& path);

// Deletes `name` below `dir` with all that is in it. Never follows a symbolic link, never crosses
// a mount point, and goes on after a failure to remove as much as it can.
Status remove_tree(int dir, const std::string& name);  // no slash in `name`
Status remove_tree(const std::string& path);

}  // namespace grappe::exec
