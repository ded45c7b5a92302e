// Slurm's two languages for saying what a table shows, and the one way a cell is laid out.
//
//   -o "%.18i %20P|%j"          a letter; "." is right-justified, the number is the width, text
//                               up to the next "%" follows the cell
//   -O "jobid:12,state:.10|"    a long name; without ":" the width is 20
//
// No width (0) takes what the value needs; a longer value is cut to the width, but for times and
// lists of nodes on the right. Parsing knows
// nothing of fields: a command looks each column up in its own table (field.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace grappe {

struct Column {
  std::string key;   // one letter (-o) or a long name as typed (-O)
  std::string text;  // -o: the column as typed with its "%", shown as it is when unknown
  unsigned width = 0;
  bool right = false;
  std::string suffix;
};

struct Format {
  std::string prefix;  // text before the first column
  std::vector<Column> columns;
};

Format parse_letter_format(std::string_view text);
Format parse_name_format(std::string_view text);

// What of a right-justified column is cut to its width; of the others everything is.
enum class Cut { kAll, kTitle, kLeftOnly };

// Lays out the cell that begins at `start` of `line` and reaches to its end: cut, then padded.
// `cut_right`: also where it is right-justified.
void finish_cell(std::string& line, size_t start, unsigned width, bool right,
                 bool cut_right = true);

inline constexpr unsigned kDefaultNameWidth = 20;
// A wider column is cut to this: nobody reads it, and the number came from a command line.
inline constexpr unsigned kMaxWidth = 65536;

}  // namespace grappe
