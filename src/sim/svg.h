// Small plots as SVG, for pages that stand alone. Colours come from the page's style sheet, and
// every plot has a title and a description for those who don't see it.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace grappe::sim {

// & < > " as HTML writes them.
std::string escaped(std::string_view text);

struct Bar {
  std::string label;
  double value = 0;
  std::string text;  // beside it
};
std::string bar_plot(std::string_view title, const std::vector<Bar>& bars);

struct Curve {
  std::string label;
  std::vector<std::pair<double, double>> points;  // both from 0 to 1
};
struct Tick {
  double at;  // from 0 to 1
  std::string label;
};
std::string curve_plot(std::string_view title, const std::vector<Curve>& curves,
                       const std::vector<Tick>& across, const std::vector<Tick>& up);

}  // namespace grappe::sim
