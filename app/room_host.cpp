#include "app/room_host.h"

#include <QVBoxLayout>

#include "app/welcome_page.h"

namespace orrery {

RoomHost::RoomHost(std::vector<PanelDescriptor> const& panels, RoomServices& services, Session& session,
                   QWidget* parent)
    : QWidget(parent), m_panels(panels), m_services(services), m_session(session) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_strip = new StateStrip(QStringLiteral("message"), this);
    layout->addWidget(m_strip);
    m_stack = new QStackedWidget(this);
    layout->addWidget(m_stack, 1);
    m_welcome = new WelcomePage(panels, services.commands(), m_stack);
    m_stack->addWidget(m_welcome);
    m_save_later.setSingleShot(true);
    m_save_later.setInterval(250);
    connect(&m_save_later, &QTimer::timeout, this, &RoomHost::save_states);
    connect(&session, &Session::opened_now, this, &RoomHost::start_anew);
}

Room* RoomHost::existing_room(std::string const& slug) const {
    auto const found = m_rooms.find(slug);
    return found != m_rooms.end() ? found->second : nullptr;
}

Room* RoomHost::room(std::string const& slug) {
    if (Room* made = existing_room(slug)) return made;
    PanelDescriptor const* panel = find_panel(m_panels, slug);
    if (panel == nullptr) return nullptr;
    Room* room = panel->create(*panel, m_services, m_stack);
    m_rooms[slug] = room;
    m_stack->addWidget(room);
    room->prepare();
    if (Json const state = m_session.item("room", slug); state.is_object()) room->restore(state);
    connect(room, &Room::state_changed, this, [this, slug] {
        m_changed.insert(slug);
        if (!m_save_later.isActive()) m_save_later.start();
    });
    return room;
}

Room* RoomHost::current_room() const { return qobject_cast<Room*>(m_stack->currentWidget()); }

std::string RoomHost::current_slug() const {
    Room* room = current_room();
    return room != nullptr ? room->slug() : std::string();
}

bool RoomHost::show_room(std::string const& slug) {
    QWidget* page = slug.empty() ? static_cast<QWidget*>(m_welcome) : room(slug);
    if (page == nullptr) return false;
    if (m_stack->currentWidget() == page) return true;
    m_stack->setCurrentWidget(page);
    if (m_session.ready()) m_session.put_item("window", "room", slug);
    Q_EMIT current_changed(current_room());
    return true;
}

void RoomHost::save_states() {
    m_save_later.stop();
    for (std::string const& slug : m_changed)
        if (Room* room = existing_room(slug)) m_session.put_item("room", slug, room->state());
    m_changed.clear();
}

// Another session is in place. What the user did while the first one was still being opened belongs to it.
void RoomHost::start_anew() {
    bool const fresh = m_session.items("room").empty();
    if (m_first_session && fresh) {
        m_first_session = false;
        m_session.put_item("window", "room", current_slug());
        for (auto const& [slug, room] : m_rooms) m_changed.insert(slug);
        save_states();
        return;
    }
    m_first_session = false;
    m_changed.clear();
    m_stack->setCurrentWidget(m_welcome);
    for (auto const& [slug, room] : m_rooms) {
        m_stack->removeWidget(room);
        room->deleteLater();
    }
    m_rooms.clear();
    Q_EMIT current_changed(nullptr);
    Json const current = m_session.item("window", "room");
    if (current.is_string()) show_room(current.get<std::string>());
}

}  // namespace orrery
