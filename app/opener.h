// What to do with files that were dropped, opened or given: sessions are opened, exported figures lead back to their
// run, data goes to the room that can use it; several rooms are offered.
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"

#include <QObject>
#include <string>
#include <vector>

namespace orrery {

class MainWindow;
struct PanelDescriptor;

class Opener : public QObject {
    Q_OBJECT
public:
    explicit Opener(MainWindow& window);
    void open(std::vector<std::string> const& paths);
    // Rooms that can use all of these files, by their names.
    [[nodiscard]] std::vector<PanelDescriptor const*> rooms_for(std::vector<std::string> const& paths) const;

private:
    struct Look;
    void looked(std::vector<Look> const& looks);
    void lead_back(std::string const& path, Json const& provenance);
    void offer(std::vector<PanelDescriptor const*> const& rooms, std::vector<std::string> const& paths);
    MainWindow& m_window;
};

}  // namespace orrery
