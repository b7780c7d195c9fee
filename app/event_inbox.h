// Carries the queue's events from its thread to the window's, in order and in batches: one post to the event loop for
// all that came meanwhile. Holds them until a receiver is attached.
#pragma once

#include "core/base/queue.h"

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace orrery {

class EventInbox : public std::enable_shared_from_this<EventInbox> {
public:
    void put(JobEvent event);  // any thread
    // Window's thread. The receiver is called there, for what was held first; null detaches, what comes later is
    // dropped.
    void attach(std::function<void(JobEvent const&)> receiver);

private:
    void post();
    void deliver();
    std::mutex m_mutex;  // guards m_events, m_posted, m_attached
    std::vector<JobEvent> m_events;
    bool m_posted = false;
    bool m_attached = false;
    std::function<void(JobEvent const&)> m_receiver;  // window's thread only
};

}  // namespace orrery
