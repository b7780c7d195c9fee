// Running verbs of the method in memory, for tests.
#pragma once

#include "core/methods/quantum-control/schema.h"
#include "core/methods/quantum-control/setup.h"
#include "tests/fake_context.h"
#include "tests/fixtures.h"

#include <stdexcept>

namespace orrery::tests {

inline Result<JobResult> run_verb(std::string const& verb, Json const& given, FakeContext& context) {
    using namespace methods::quantum_control;
    auto parameters = validate(*schema().verb(verb), given);
    if (!parameters.ok()) return parameters.error();
    if (verb == "simulate") return run_simulate(*parameters, context);
    if (verb == "optimize") return run_optimize(*parameters, context);
    return run_robust(*parameters, context);
}

// Runs until the end, asking for a pause at every `every`-th call of progress(), each time in a new context that has
// only the checkpoint of the one before.
inline FakeContext run_with_pauses(std::string const& verb, Json const& given, int every, int* pauses) {
    std::optional<std::string> kept;
    *pauses = 0;
    for (;;) {
        FakeContext context(1);
        context.kept = kept;
        context.decide = [&](int call) { return call >= every ? Signal::pause : Signal::go_on; };
        auto result = run_verb(verb, given, context);
        if (result.ok()) return context;
        if (result.error().kind != ErrorKind::paused) throw std::runtime_error(result.error().message());
        kept = context.kept;
        ++*pauses;
        every += 3;
    }
}

}  // namespace orrery::tests
