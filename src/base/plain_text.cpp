#include "base/plain_text.h"

namespace grappe {

void hide_control_characters(std::string& text, size_t start) {
  for (size_t i = start; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    // In UTF-8 the control characters above ASCII (one of them begins escape sequences too) are
    // two bytes, of which the first is C2.
    const bool upper = byte == 0xc2 && i + 1 < text.size() &&
                       static_cast<unsigned char>(text[i + 1]) < 0xa0 &&
                       static_cast<unsigned char>(text[i + 1]) >= 0x80;
    if (upper) text[i + 1] = '?';
    if (upper || byte < 0x20 || byte == 0x7f) text[i] = '?';
  }
}

}  // namespace grappe
