// A table of fields, and a table of rows printed by it.
//
// A command names what it can show as a constant array of Field<Row, Context>: letter, long
// name, title and the function that writes the value. Context holds what is the same for all
// rows: the time, the options.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "cli/format/column.h"

namespace grappe {

template <class Row, class Context>
struct Field {
  char letter;            // 0: only by its long name
  std::string_view name;  // "": only by its letter
  std::string_view title;
  void (*value)(std::string& out, const Row& row, const Context& context);
  // What the value needs of the data, in bits of the command's own meaning.
  unsigned needs = 0;
  // Set by a field that must keep its last letters when it is cut; gets the column's width.
  void (*fitted)(std::string& out, const Row& row, const Context& context,
                 unsigned width) = nullptr;
  Cut cut = Cut::kAll;
};

// The names of all fields, for "did you mean".
template <class FieldType>
std::vector<std::string_view> field_names(std::span<const FieldType> fields) {
  std::vector<std::string_view> names;
  for (const FieldType& field : fields) {
    if (!field.name.empty()) names.push_back(field.name);
  }
  return names;
}

template <class Row, class Context>
class Table {
 public:
  using FieldType = Field<Row, Context>;

  struct Cell {
    const FieldType* field;  // nullptr: only `suffix`
    unsigned width;
    bool right;
    std::string suffix;
  };

  // A column that no field has: -o shows it as it was typed, -O leaves it out, and
  // `unknown` is told so that the command can say it in its own words.
  template <class OnUnknown>
  Table(const Format& format, std::span<const FieldType> fields, bool letters, OnUnknown&& unknown)
      : prefix_(format.prefix) {
    for (const Column& column : format.columns) {
      const FieldType* field = find(fields, column.key, letters);
      if (!field) unknown(column.key);
      bool typed = !field && letters;
      cells_.push_back({field, column.width, column.right, typed ? column.text : column.suffix});
    }
  }

  std::vector<Cell>& cells() { return cells_; }

  unsigned needs() const {
    unsigned all = 0;
    for (const Cell& cell : cells_) all |= cell.field ? cell.field->needs : 0;
    return all;
  }

  void append_header(std::string& out) const {
    out += prefix_;
    for (const Cell& cell : cells_) {
      size_t start = out.size();
      if (cell.field) {
        out += cell.field->title;
        finish_cell(out, start, cell.width, cell.right, cell.field->cut != Cut::kLeftOnly);
      }
      out += cell.suffix;
    }
    out += '\n';
  }

  void append_row(std::string& out, const Row& row, const Context& context) const {
    out += prefix_;
    for (const Cell& cell : cells_) {
      size_t start = out.size();
      if (cell.field) {
        if (cell.field->fitted && cell.width) {
          cell.field->fitted(out, row, context, cell.width);
        } else {
          cell.field->value(out, row, context);
        }
        finish_cell(out, start, cell.width, cell.right, cell.field->cut == Cut::kAll);
      }
      out += cell.suffix;
    }
    out += '\n';
  }

 private:
  static const FieldType* find(std::span<const FieldType> fields, std::string_view key,
                               bool letters) {
    for (const FieldType& field : fields) {
      if (letters ? field.letter && key.size() == 1 && key[0] == field.letter
                  : !field.name.empty() && iequals(field.name, key)) {
        return &field;
      }
    }
    return nullptr;
  }

  std::string prefix_;
  std::vector<Cell> cells_;
};

}  // namespace grappe
