// JSON in the layout of Slurm's commands: two blanks per level, "/" written as "\/", an empty list
// on two lines. Keys come out in the order they are written, as readers of Slurm's output know
// them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace grappe {

class JsonWriter {
 public:
  explicit JsonWriter(std::string& out) : out_(out) {}

  // An empty key is for elements of a list and the outermost object.
  void open_object(std::string_view key = "") { open(key, '{'); }
  void close_object() { close('}'); }
  void open_list(std::string_view key = "") { open(key, '['); }
  void close_list() { close(']'); }

  void text(std::string_view key, std::string_view value);
  void number(std::string_view key, int64_t value);
  void real(std::string_view key, double value);
  void boolean(std::string_view key, bool value);
  void null(std::string_view key);
  // null unless `given`.
  void number_or_null(std::string_view key, bool given, int64_t value);

 private:
  void open(std::string_view key, char bracket);
  void close(char bracket);
  void begin(std::string_view key);
  void quoted(std::string_view value);

  std::string& out_;
  int depth_ = 0;
  bool first_ = true;
};

// "meta" and the empty "errors": the head of every answer of Slurm 22.05.
void write_json_meta(JsonWriter& json, std::string_view type = "openapi/v0.0.38",
                     std::string_view name = "Slurm OpenAPI v0.0.38");

}  // namespace grappe
