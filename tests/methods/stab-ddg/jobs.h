// Running verbs of the method on the structures of ../shared, for tests.
#pragma once

#include "core/methods/stab-ddg/inputs.h"
#include "core/methods/stab-ddg/schema.h"
#include "tests/fake_context.h"
#include "tests/fixtures.h"

#include <cstdio>

namespace orrery::methods::stab_ddg {
Result<JobResult> run(std::string_view verb, Json const& parameters, JobContext& context);
}

namespace orrery::tests {

// Validated parameters of a verb.
inline Json validated(char const* verb, Json const& given) {
    auto parameters = validate(*methods::stab_ddg::schema().verb(verb), given);
    if (!parameters.ok()) throw std::runtime_error(parameters.error().message());
    return *parameters;
}

inline Result<JobResult> run_verb(char const* verb, Json const& given, FakeContext& context) {
    return methods::stab_ddg::run(verb, validated(verb, given), context);
}

inline bool has_weights() {
    if (std::filesystem::exists(methods::stab_ddg::default_weights())) return true;
    std::printf("skipped: the weights that packaging/setup.sh brings are absent\n");
    return false;
}

// Runs until the end, asking for a pause at every `every`-th call of progress(), each time in a new context that has
// only the checkpoint of the one before.
inline FakeContext run_with_pauses(char const* verb, Json const& given, int every, int threads, int* pauses) {
    std::optional<std::string> kept;
    *pauses = 0;
    for (;;) {
        FakeContext context(threads);
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
