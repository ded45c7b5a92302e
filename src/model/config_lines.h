// The lexical rules of slurm.conf, shared by gres.conf and cgroup.conf.
//
// A line is a list of Key=value, blanks around '=' allowed; a value with blanks stands in double
// quotes; '#' begins a comment unless a backslash stands before it; a backslash at the end joins
// the next line; `Include name` reads another file in its place.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace grappe {

struct ConfigPair {
  std::string key;
  std::string value;
};

struct ConfigLine {
  std::string file;
  int number = 0;  // of its first physical line, from 1
  std::vector<ConfigPair> pairs;

  std::string place() const;  // "slurm.conf:12"
};

// Reads the file that an Include line names: parsing itself touches no file.
using ReadInclude = std::function<Result<std::string>(const std::string& name)>;

// The lines that hold something. A failure names file and line.
Result<std::vector<ConfigLine>> read_config_lines(std::string_view text, const std::string& file,
                                                  const ReadInclude& include);

}  // namespace grappe
