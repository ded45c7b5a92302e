// /healthz and /metrics, for probes and for Prometheus.
#pragma once

#include "api/router.h"

namespace grappe::api {

// 200 and "ok" when the engine answers.
void answer_health(Engine& engine, Reply reply);
// The figures of sdiag in Prometheus' text form.
void answer_metrics(Engine& engine, Reply reply);

}  // namespace grappe::api
