#include "sim/svg.h"

#include <fmt/format.h>

#include <algorithm>

namespace grappe::sim {
namespace {

constexpr int kColours = 6;  // classes c0 to c5 of the page

std::string open_plot(int width, int height, std::string_view title, std::string_view described) {
  return fmt::format(
      "<svg viewBox=\"0 0 {} {}\" role=\"img\" "
      "aria-label=\"{}\"><title>{}</title><desc>{}</desc>\n",
      width, height, escaped(title), escaped(title), escaped(described));
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  for (char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string bar_plot(std::string_view title, const std::vector<Bar>& bars) {
  constexpr int kRow = 26, kLeft = 190, kLong = 380;
  double most = 0;
  std::string described;
  for (const Bar& bar : bars) {
    most = std::max(most, bar.value);
    described += fmt::format("{}: {}. ", bar.label, bar.text);
  }
  std::string out = open_plot(kLeft + kLong + 110, kRow * int(bars.size()) + 6, title, described);
  for (std::size_t i = 0; i < bars.size(); ++i) {
    int y = kRow * static_cast<int>(i) + 4;
    double length = most > 0 ? kLong * bars[i].value / most : 0;
    out += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>", kLeft - 8, y + 15,
                       escaped(bars[i].label));
    out += fmt::format(
        "<rect class=\"c{}\" x=\"{}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\" rx=\"2\"/>",
        i % kColours, kLeft, y, std::max(length, 1.0), kRow - 6);
    out += fmt::format("<text x=\"{:.1f}\" y=\"{}\">{}</text>\n", kLeft + length + 6, y + 15,
                       escaped(bars[i].text));
  }
  return out + "</svg>\n";
}

std::string curve_plot(std::string_view title, const std::vector<Curve>& curves,
                       const std::vector<Tick>& across, const std::vector<Tick>& up) {
  constexpr int kLeft = 48, kTop = 8, kWide = 600, kHigh = 260;
  std::string described = "Curves: ";
  for (const Curve& curve : curves) described += curve.label + ". ";
  int height = kTop + kHigh + 28 + 20 * static_cast<int>(curves.size());
  std::string out = open_plot(kLeft + kWide + 30, height, title, described);
  auto x = [](double part) { return kLeft + kWide * part; };
  auto y = [](double part) { return kTop + kHigh * (1 - part); };
  for (const Tick& tick : across) {
    out += fmt::format(
        "<path class=\"grid\" d=\"M{:.1f} {}V{}\"/><text x=\"{:.1f}\" y=\"{}\" "
        "text-anchor=\"middle\">{}</text>\n",
        x(tick.at), kTop, kTop + kHigh, x(tick.at), kTop + kHigh + 16, escaped(tick.label));
  }
  for (const Tick& tick : up) {
    out += fmt::format(
        "<path class=\"grid\" d=\"M{} {:.1f}H{}\"/><text x=\"{}\" y=\"{:.1f}\" "
        "text-anchor=\"end\">{}</text>\n",
        kLeft, y(tick.at), kLeft + kWide, kLeft - 6, y(tick.at) + 4, escaped(tick.label));
  }
  for (std::size_t i = 0; i < curves.size(); ++i) {
    std::string path;
    for (auto [px, py] : curves[i].points) {
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x(px), y(py));
    }
    int key = kTop + kHigh + 34 + 20 * static_cast<int>(i);
    out += fmt::format("<path class=\"line s{}\" d=\"{}\"/>", i % kColours, path);
    out +=
        fmt::format("<path class=\"line s{}\" d=\"M{} {}h28\"/><text x=\"{}\" y=\"{}\">{}</text>\n",
                    i % kColours, kLeft, key, kLeft + 36, key + 4, escaped(curves[i].label));
  }
  return out + "</svg>\n";
}

}  // namespace grappe::sim
