// A JobContext in memory: keeps what a job hands out, and asks it to stop where a test wants.
#pragma once

#include "core/base/hash.h"
#include "core/base/job.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace orrery::tests {

class FakeContext : public JobContext {
public:
    explicit FakeContext(int threads = 1) : m_threads(threads) {}

    // Asked at every progress() with the number of calls before it.
    std::function<Signal(int call)> decide = [](int) { return Signal::go_on; };
    std::map<std::string, std::string> files;  // artifacts by name
    std::map<std::string, bool> partial;
    std::vector<std::pair<std::string, Json>> updates;
    std::vector<std::pair<double, double>> losses;
    std::vector<std::string> logs;
    std::vector<Error> warnings;
    std::vector<InputRecord> inputs;
    std::optional<std::string> kept;
    double last_fraction = 0;
    int calls = 0;

    Signal progress(double fraction, std::string_view) override {
        last_fraction = fraction;
        return decide(calls++);
    }
    void series(std::string_view name, double x, double y) override {
        if (name == "loss") losses.emplace_back(x, y);
    }
    void update(std::string_view name, Json const& value) override { updates.emplace_back(name, value); }
    void log(LogLevel, std::string_view text) override { logs.emplace_back(text); }
    void warn(Error warning) override { warnings.push_back(std::move(warning)); }
    void used_input(InputRecord record) override { inputs.push_back(std::move(record)); }
    Result<Artifact> emit(std::string_view name, std::string_view kind, std::string_view media_type,
                          std::string_view bytes, bool is_partial) override {
        files[std::string(name)] = std::string(bytes);
        partial[std::string(name)] = is_partial;
        Artifact artifact;
        artifact.name = name;
        artifact.kind = kind;
        artifact.media_type = media_type;
        artifact.sha256 = sha256(bytes);
        artifact.bytes = bytes.size();
        artifact.partial = is_partial;
        return artifact;
    }
    Result<void> save_checkpoint(std::string_view bytes) override {
        kept = std::string(bytes);
        return {};
    }
    [[nodiscard]] std::optional<std::string> checkpoint() const override { return kept; }
    [[nodiscard]] int threads() const override { return m_threads; }
    [[nodiscard]] bool wants_gpu() const override { return false; }
    [[nodiscard]] Json provenance() const override { return Json::object(); }

private:
    int m_threads;
};

}  // namespace orrery::tests
