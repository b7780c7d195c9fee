// What the tests of the queue and the worker share: a queue with its events recorded, and waiting for one of them.
#pragma once

#include "core/base/queue.h"
#include "core/base/store.h"

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace orrery::tests {

class RecordedQueue {
public:
    explicit RecordedQueue(QueueOptions options)
        : m_queue(std::move(options), [this](JobEvent const& event) {
              std::lock_guard const lock(m_mutex);
              m_events.push_back(event);
              m_changed.notify_all();
          }) {}

    Queue* operator->() { return &m_queue; }

    // False after 60 s: a slow machine is waited for, a queue that hangs is told.
    bool wait(std::function<bool()> const& is_so) {
        auto const deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        while (std::chrono::steady_clock::now() < deadline) {
            if (is_so()) return true;
            std::unique_lock lock(m_mutex);
            m_changed.wait_for(lock, std::chrono::milliseconds(20));
        }
        return is_so();
    }
    // The state, and that its event was delivered.
    bool wait_for_state(std::string const& id, JobState state) {
        return wait([&] {
            auto const told = states(id);
            return m_queue.job(id) && m_queue.job(id)->state == state && !told.empty() && told.back() == state;
        });
    }
    bool wait_for_end(std::string const& id) {
        return wait([&] {
            auto const told = states(id);
            return m_queue.job(id) && is_final(m_queue.job(id)->state) && !told.empty() && is_final(told.back());
        });
    }
    bool wait_for_progress(std::string const& id, double fraction) {
        return wait([&] { return m_queue.job(id) && m_queue.job(id)->fraction >= fraction; });
    }
    bool wait_until_warm() {
        return wait([&] { return m_queue.lanes().front().warm; });
    }
    std::vector<JobEvent> events(std::string const& id) {
        std::lock_guard const lock(m_mutex);
        std::vector<JobEvent> events;
        for (JobEvent const& event : m_events)
            if (event.job == id) events.push_back(event);
        return events;
    }
    std::vector<JobState> states(std::string const& id) {
        std::vector<JobState> states;
        for (JobEvent const& event : events(id))
            if (event.kind == JobEvent::Kind::state) states.push_back(event.state);
        return states;
    }
    std::vector<std::pair<double, double>> points(std::string const& id, std::string const& name) {
        std::vector<std::pair<double, double>> points;
        for (JobEvent const& event : events(id))
            if (event.kind == JobEvent::Kind::series && event.name == name)
                for (std::size_t i = 0; i < event.x.size(); ++i) points.emplace_back(event.x[i], event.y[i]);
        return points;
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::vector<JobEvent> m_events;
    Queue m_queue;  // last: its thread uses the members above
};

inline JobSpec job(std::string const& verb, Json parameters = Json::object()) {
    JobSpec spec;
    spec.method = "test";
    spec.verb = verb;
    spec.parameters = std::move(parameters);
    spec.title = "Test " + verb;
    spec.threads = 1;
    return spec;
}

}  // namespace orrery::tests
