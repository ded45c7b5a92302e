// One record of `scontrol show`: lines below each other, indented after the first, or with -o all
// in one line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace grappe::scontrol {

// How records are written: -o, -d, and the clock that spans are counted from.
struct Style {
  bool one_line = false;
  bool details = false;
  int64_t now = 0;
  std::string time_format;  // SLURM_TIME_FORMAT
};

class Record {
 public:
  void line(std::string text);
  // Ends with a blank line between records, or with the line's end.
  std::string text(const Style& style) const;

 private:
  std::vector<std::string> lines_;
};

// "(null)", as Slurm writes a text that is not there.
std::string_view or_null(std::string_view text);
// A moment, or `absent` for 0.
std::string moment(const Style& style, int64_t time, std::string_view absent);

}  // namespace grappe::scontrol
