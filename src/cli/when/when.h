// Forecasts: `grappe when` and `grappe forecast`.
#pragma once

namespace grappe {

int run_when(int argc, char** argv);
int run_forecast(int argc, char** argv);

}  // namespace grappe
