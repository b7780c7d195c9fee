#include "core/base/job.h"

#include "tests/catch.h"

#include <set>

using namespace orrery;

namespace {

using enum JobState;
constexpr JobState all_states[] = {
    queued, running, pausing, paused, cancelling, cancelled, completing, done, done_with_warnings, failed};

}  // namespace

TEST_CASE("Job states have names") {
    for (JobState const state : all_states) CHECK(job_state_from(to_string(state)) == state);
    CHECK_FALSE(job_state_from("asleep"));
}

TEST_CASE("Only the transitions of the state machine are allowed") {
    std::set<std::pair<JobState, JobState>> const allowed = {{queued, running},
                                                             {queued, cancelled},
                                                             {queued, paused},
                                                             {running, pausing},
                                                             {running, cancelling},
                                                             {running, completing},
                                                             {running, failed},
                                                             {pausing, paused},
                                                             {pausing, cancelling},
                                                             {pausing, completing},
                                                             {pausing, failed},
                                                             {paused, queued},
                                                             {paused, running},
                                                             {paused, cancelled},
                                                             {cancelled, queued},
                                                             {cancelling, cancelled},
                                                             {cancelling, failed},
                                                             {cancelling, completing},
                                                             {completing, done},
                                                             {completing, done_with_warnings},
                                                             {completing, failed}};
    for (JobState const from : all_states)
        for (JobState const to : all_states) {
            INFO(to_string(from) << " -> " << to_string(to));
            CHECK(may_follow(from, to) == (allowed.count({from, to}) == 1));
        }
    for (JobState const state : all_states)
        CHECK(is_final(state) ==
              (state == done || state == done_with_warnings || state == failed || state == cancelled));
}

TEST_CASE("A specification survives JSON") {
    JobSpec spec;
    spec.id = "7";
    spec.method = "stab-ddg";
    spec.verb = "scan";
    spec.parameters = {{"draws", 20}};
    spec.title = "Scan interface of 1AO7";
    spec.lane = Lane::gpu;
    spec.threads = 2;
    spec.memory_estimate = std::uint64_t{1} << 40;
    spec.method_version = "1";
    spec.inputs = {{"/x/1AO7.pdb", "ab"}};
    Result<JobSpec> const back = JobSpec::from_json(Json::parse(spec.to_json().dump()));
    REQUIRE(back.ok());
    CHECK(back->to_json() == spec.to_json());
    CHECK(back->key() == spec.key());
    CHECK(back->key().size() == 64);
}

TEST_CASE("A key is of what decides the result") {
    JobSpec spec;
    spec.method = "stab-ddg";
    spec.verb = "scan";
    spec.parameters = {{"draws", 20}, {"threads", 0}};
    std::string const key = spec.key();
    JobSpec other = spec;
    other.id = "9";
    other.title = "x";
    other.threads = 4;
    other.parameters["threads"] = 4;
    CHECK(other.key() == key);
    other.parameters["draws"] = 21;
    CHECK(other.key() != key);
}

TEST_CASE("JSON that is no specification is refused") {
    auto const message = [](Json const& value) {
        Result<JobSpec> const spec = JobSpec::from_json(value);
        REQUIRE_FALSE(spec.ok());
        return spec.error().message();
    };
    Json const good = {{"method", "m"}, {"verb", "v"}, {"parameters", Json::object()}};
    CHECK(JobSpec::from_json(good).ok());
    CHECK(message(Json::array()) == "the job's specification is not an object");
    CHECK(message({{"verb", "v"}}) == "the job's specification has no \"method\"");
    Json value = good;
    value["verb"] = 3;
    CHECK(message(value) == "the job's specification has a \"verb\" of the wrong type");
    value = good;
    value["lane"] = "tpu";
    CHECK(message(value) == "the job's specification names the lane \"tpu\"; lanes are cpu and gpu");
    value = good;
    value["parameters"] = 1;
    CHECK(message(value) == "the job's specification has parameters that are no object");
    value = good;
    value["memory_estimate"] = -1;
    CHECK(message(value) == "the job's specification has a \"memory_estimate\" of the wrong type");
}

TEST_CASE("Artifacts and inputs survive JSON") {
    Artifact artifact{"scan.csv", "table", "text/csv", "ab", 12, "/x/scan.csv", true};
    Result<Artifact> const back = Artifact::from_json(Json::parse(artifact.to_json().dump()));
    REQUIRE(back.ok());
    CHECK(back->to_json() == artifact.to_json());
    CHECK_FALSE(Artifact::from_json({{"name", "x"}}).ok());
    InputRecord const record{"structure", "/x/a.pdb", "cd", 3};
    Result<InputRecord> const input = InputRecord::from_json(record.to_json());
    REQUIRE(input.ok());
    CHECK(input->to_json() == record.to_json());
    CHECK_FALSE(InputRecord::from_json({{"path", 1}}).ok());
}
