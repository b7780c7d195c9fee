#include "core/base/run_context.h"

#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/version.h"

#include <algorithm>
#include <cmath>
#include <system_error>
#include <thread>
#include <tuple>

namespace orrery {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::nanoseconds report_interval{1'000'000'000 / 30};

int thread_count(int wanted) {
    if (wanted > 0) return wanted;
    return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

bool is_file_type(ParameterType type) {
    return type == ParameterType::file || type == ParameterType::file_list || type == ParameterType::directory;
}

// The last name of a path, also of "dir/" and ".".
std::string file_name_of(std::string const& path) {
    fs::path given(path);
    if (!given.has_filename() && given.has_parent_path()) given = given.parent_path();
    return given.filename().string();
}

// An artifact's name is a path below the output folder and may not lead out of it.
Result<void> check_artifact_name(std::string_view name) {
    fs::path const path{name};
    bool bad = name.empty() || path.is_absolute() || !path.has_filename() || name.find('\0') != std::string_view::npos;
    for (fs::path const& part : path) bad = bad || part == ".." || part == ".";
    if (bad) return internal_error("an artifact may not be named \"" + std::string(name) + "\"");
    return {};
}

}  // namespace

fs::path blob_path(fs::path const& root, std::string const& sha256) {
    return root / "blobs" / sha256.substr(0, 2) / sha256;
}

RunContext::RunContext(RunSetup setup)
    : m_setup(std::move(setup)), m_threads(thread_count(m_setup.spec.threads)), m_started(Clock::now()) {}

ProgressReport RunContext::report(Clock::time_point now) const {
    ProgressReport report;
    report.fraction = m_fraction;
    report.stage = m_stage;
    report.elapsed_seconds = std::chrono::duration<double>(now - m_started).count();
    // A resumed run starts at the fraction of its checkpoint: only what was done since tells the speed.
    double const done = m_fraction - m_first_fraction;
    if (m_fraction >= 1)
        report.remaining_seconds = 0;
    else if (done > 1e-3)
        report.remaining_seconds = report.elapsed_seconds * (1 - m_fraction) / done;
    return report;
}

Signal RunContext::progress(double fraction, std::string_view stage) {
    Clock::time_point const now = Clock::now();
    std::lock_guard const lock(m_mutex);
    m_fraction = std::isfinite(fraction) ? std::clamp(fraction, 0.0, 1.0) : m_fraction;
    m_stage = stage;
    bool const first = !m_reported;
    if (first) m_first_fraction = m_fraction;
    if (first || now - m_last_report >= report_interval) {
        m_reported = true;
        m_withheld = false;
        m_last_report = now;
        on_progress(report(now));
    } else {
        m_withheld = true;
    }
    return requested();
}

void RunContext::flush_progress() {
    std::lock_guard const lock(m_mutex);
    if (!m_withheld) return;
    m_withheld = false;
    m_last_report = Clock::now();
    on_progress(report(m_last_report));
}

void RunContext::series(std::string_view name, double x, double y) {
    std::lock_guard const lock(m_mutex);
    on_series(name, x, y);
}

void RunContext::update(std::string_view name, Json const& value) {
    std::lock_guard const lock(m_mutex);
    on_update(name, value);
}

void RunContext::log(LogLevel level, std::string_view text) {
    std::lock_guard const lock(m_mutex);
    on_log(level, text);
}

void RunContext::warn(Error warning) {
    std::lock_guard const lock(m_mutex);
    m_warnings.push_back(std::move(warning));
    on_warning(m_warnings.back());
}

void RunContext::used_input(InputRecord record) {
    std::lock_guard const lock(m_mutex);
    for (InputRecord const& known : m_inputs)
        if (known.parameter == record.parameter && known.path == record.path && known.sha256 == record.sha256) return;
    m_inputs.push_back(std::move(record));
}

Result<Artifact> RunContext::emit(std::string_view name, std::string_view kind, std::string_view media_type,
                                  std::string_view bytes, bool partial) {
    ORRERY_CHECK(check_artifact_name(name));
    Artifact artifact;
    artifact.name = name;
    artifact.kind = kind;
    artifact.media_type = media_type;
    artifact.sha256 = sha256(bytes);
    artifact.bytes = bytes.size();
    artifact.partial = partial;

    std::lock_guard const lock(m_mutex);
    bool const store = m_setup.output.kind == OutputPolicy::Kind::store;
    artifact.path = store ? blob_path(m_setup.output.root, artifact.sha256) : m_setup.output.root / artifact.name;
    std::error_code ignored;
    // A blob of this name holds these bytes already: it was renamed into place whole.
    bool const there = store && fs::file_size(artifact.path, ignored) == artifact.bytes && !ignored;
    if (!there) ORRERY_CHECK(write_file(artifact.path, bytes));

    auto const known = std::find_if(m_artifacts.begin(), m_artifacts.end(),
                                    [&](Artifact const& a) { return a.name == artifact.name; });
    if (known != m_artifacts.end())
        *known = artifact;
    else
        m_artifacts.push_back(artifact);
    on_artifact(artifact);
    return artifact;
}

Result<void> RunContext::save_checkpoint(std::string_view bytes) {
    std::lock_guard const lock(m_mutex);
    if (m_setup.checkpoint.empty()) return {};
    ORRERY_CHECK(write_file(m_setup.checkpoint, bytes));
    on_checkpoint(bytes);
    return {};
}

std::optional<std::string> RunContext::checkpoint() const {
    std::lock_guard const lock(m_mutex);
    std::error_code ignored;
    if (m_setup.checkpoint.empty() || !fs::is_regular_file(m_setup.checkpoint, ignored)) return std::nullopt;
    Result<std::string> bytes = read_file(m_setup.checkpoint);
    if (!bytes) return std::nullopt;
    return std::move(bytes).value();
}

std::vector<Artifact> RunContext::artifacts() const {
    std::lock_guard const lock(m_mutex);
    return m_artifacts;
}

std::vector<Error> RunContext::warnings() const {
    std::lock_guard const lock(m_mutex);
    return m_warnings;
}

std::vector<InputRecord> RunContext::inputs() const {
    std::lock_guard const lock(m_mutex);
    return m_inputs;
}

Json RunContext::described_path(std::string const& parameter, std::string const& path) const {
    Json described = {{"name", file_name_of(path)}};
    for (InputRecord const& input : m_inputs)
        if (input.parameter == parameter && input.path == path) described["sha256"] = input.sha256;
    std::error_code ignored;
    if (!described.contains("sha256") && fs::is_regular_file(path, ignored)) {
        auto [entry, absent] = m_hashes.try_emplace(path);
        if (absent)
            if (Result<std::string> hash = sha256_file(path)) entry->second = *hash;
        if (!entry->second.empty()) described["sha256"] = entry->second;
    }
    return described;
}

Json RunContext::described_parameters() const {
    Json described = m_setup.spec.parameters.is_object() ? m_setup.spec.parameters : Json::object();
    VerbSchema const* const verb = m_setup.schema ? m_setup.schema->verb(m_setup.spec.verb) : nullptr;
    if (verb == nullptr) return described;
    for (Parameter const& parameter : verb->parameters) {
        auto const found = described.find(parameter.name);
        if (found == described.end() || !is_file_type(parameter.type)) continue;
        if (found->is_string()) {
            *found = described_path(parameter.name, found->get<std::string>());
        } else if (found->is_array()) {
            for (Json& item : *found)
                if (item.is_string()) item = described_path(parameter.name, item.get<std::string>());
        }
    }
    return described;
}

Json RunContext::provenance() const {
    std::lock_guard const lock(m_mutex);
    JobSpec const& spec = m_setup.spec;
    // Sorted, as readers on several threads record their files in any order.
    std::vector<std::tuple<std::string, std::string, std::string, std::uint64_t>> inputs;
    for (InputRecord const& input : m_inputs)
        inputs.emplace_back(input.parameter, file_name_of(input.path), input.sha256, input.bytes);
    std::sort(inputs.begin(), inputs.end());
    inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
    Json described_inputs = Json::array();
    for (auto const& [parameter, name, hash, bytes] : inputs)
        described_inputs.push_back({{"parameter", parameter}, {"name", name}, {"sha256", hash}, {"bytes", bytes}});

    Json record = {{"program", "Orrery"},
                   {"program_version", version},
                   {"method", spec.method},
                   {"verb", spec.verb},
                   {"parameters", described_parameters()},
                   {"inputs", std::move(described_inputs)},
                   {"libraries", m_setup.libraries},
                   {"device", m_setup.device},
                   {"threads", m_threads}};
    if (m_setup.schema != nullptr) {
        record["method_version"] = m_setup.schema->version;
        record["method_name"] = m_setup.schema->method_name;
        record["licences"] = m_setup.schema->licences;
    }
    return record;
}

}  // namespace orrery
