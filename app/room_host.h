// The middle of the window: start page and rooms, made when first shown, and the strip above them in which the program
// speaks. Keeps each room's state in the session.
#pragma once

#include "app/session.h"
#include "panels/common/room.h"
#include "panels/common/state_strip.h"

#include <QHash>
#include <QStackedWidget>
#include <QTimer>
#include <QWidget>
#include <map>
#include <set>
#include <string>

namespace orrery {

class WelcomePage;

class RoomHost : public QWidget {
    Q_OBJECT
public:
    RoomHost(std::vector<PanelDescriptor> const& panels, RoomServices& services, Session& session, QWidget* parent);

    [[nodiscard]] std::vector<PanelDescriptor> const& panels() const { return m_panels; }
    // The room, made if it is not there; null: there is no such room.
    Room* room(std::string const& slug);
    [[nodiscard]] Room* existing_room(std::string const& slug) const;
    [[nodiscard]] Room* current_room() const;
    [[nodiscard]] std::string current_slug() const;  // empty: the start page
    bool show_room(std::string const& slug);         // empty: the start page
    [[nodiscard]] WelcomePage& welcome() { return *m_welcome; }
    [[nodiscard]] StateStrip& strip() { return *m_strip; }
    void save_states();  // now, not a moment later

signals:
    void current_changed(orrery::Room* room);  // null: the start page

private:
    void start_anew();
    std::vector<PanelDescriptor> const& m_panels;
    RoomServices& m_services;
    Session& m_session;
    StateStrip* m_strip = nullptr;
    QStackedWidget* m_stack = nullptr;
    WelcomePage* m_welcome = nullptr;
    std::map<std::string, Room*> m_rooms;
    std::set<std::string> m_changed;  // rooms whose state is to be saved
    QTimer m_save_later;
    bool m_first_session = true;
};

}  // namespace orrery
