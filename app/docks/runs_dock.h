// All runs of the session, newest first: show, repeat, remove; a repeated one tells how it compares with the first.
#pragma once

#include "app/session.h"

#include <QAbstractTableModel>
#include <QWidget>
#include <vector>

class QTableView;

namespace orrery {

class RunsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum ColumnIndex { title, state, started, duration, comparison, identity, column_count };
    RunsModel(Session& session, QObject* parent);
    [[nodiscard]] int rowCount(QModelIndex const& parent = {}) const override;
    [[nodiscard]] int columnCount(QModelIndex const& parent = {}) const override;
    [[nodiscard]] QVariant data(QModelIndex const& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] std::string id(int row) const { return m_ids[static_cast<std::size_t>(row)]; }
    [[nodiscard]] int row(std::string const& id) const;

private:
    void reload();
    Session& m_session;
    std::vector<std::string> m_ids;  // newest first, no helpers
};

class RunsDock : public QWidget {
    Q_OBJECT
public:
    RunsDock(Session& session, CommandBus& commands, QWidget* parent);

private:
    void issue(char const* command);
    RunsModel* m_model = nullptr;
    QTableView* m_view = nullptr;
    CommandBus& m_commands;
};

}  // namespace orrery
