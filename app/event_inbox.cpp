#include "app/event_inbox.h"

#include "panels/common/background.h"

namespace orrery {

void EventInbox::put(JobEvent event) {
    std::lock_guard const lock(m_mutex);
    m_events.push_back(std::move(event));
    if (m_attached && !m_posted) post();
}

void EventInbox::attach(std::function<void(JobEvent const&)> receiver) {
    std::lock_guard const lock(m_mutex);
    m_receiver = std::move(receiver);
    m_attached = m_receiver != nullptr;
    if (!m_attached) m_events.clear();
    if (m_attached && !m_events.empty() && !m_posted) post();
}

void EventInbox::post() {
    m_posted = true;
    QMetaObject::invokeMethod(
        &window_thread(), [self = shared_from_this()] { self->deliver(); }, Qt::QueuedConnection);
}

void EventInbox::deliver() {
    std::vector<JobEvent> events;
    {
        std::lock_guard const lock(m_mutex);
        events.swap(m_events);
        m_posted = false;
    }
    for (JobEvent const& event : events)
        if (m_receiver) m_receiver(event);
}

}  // namespace orrery
