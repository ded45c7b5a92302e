#include "service/text_limits.h"

#include <climits>
#include <string>
#include <string_view>
#include <vector>

namespace grappe {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

constexpr size_t kUsual = 1024;
struct Limit {
  std::string_view field;
  size_t bytes;
};
constexpr Limit kLimits[] = {
    {"array", 4096},
    {"burst_buffer", 8192},
    {"dependency", 128 << 10},
    {"required_nodes", 64 << 10},
    {"excluded_nodes", 64 << 10},
    {"work_dir", PATH_MAX},
    {"std_in", PATH_MAX},
    {"std_out", PATH_MAX},
    {"std_err", PATH_MAX},
    {"container", PATH_MAX},
    {"task_prolog", PATH_MAX},
    {"task_epilog", PATH_MAX},
    // What the kernel lets a command line hold.
    {"argv", 128 << 10},
    {"command", 2 << 20},
    {"submit_line", 2 << 20},
};

size_t limit_of(std::string_view field) {
  for (const Limit& limit : kLimits) {
    if (limit.field == field) return limit.bytes;
  }
  return kUsual;
}

bool fits(const FieldDescriptor& field, const std::string& text) {
  if (field.type() != FieldDescriptor::TYPE_STRING) return true;  // bytes: an environment
  return text.size() <= limit_of(field.name()) && text.find('\0') == std::string::npos;
}

bool field_fits(const Message& message, const FieldDescriptor& field) {
  const auto& reflection = *message.GetReflection();
  const bool is_text = field.cpp_type() == FieldDescriptor::CPPTYPE_STRING;
  const bool is_message = field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE;
  if (!is_text && !is_message) return true;
  std::string scratch;
  if (!field.is_repeated()) {
    return is_text ? fits(field, reflection.GetStringReference(message, &field, &scratch))
                   : texts_fit(reflection.GetMessage(message, &field));
  }
  for (int i = 0; i < reflection.FieldSize(message, &field); ++i) {
    const bool good =
        is_text ? fits(field, reflection.GetRepeatedStringReference(message, &field, i, &scratch))
                : texts_fit(reflection.GetRepeatedMessage(message, &field, i));
    if (!good) return false;
  }
  return true;
}

}  // namespace

bool texts_fit(const Message& message) {
  std::vector<const FieldDescriptor*> fields;
  message.GetReflection()->ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    if (!field_fits(message, *field)) return false;
  }
  return true;
}

}  // namespace grappe
