#include "app/docks/data_dock.h"

#include <QHeaderView>

#include "panels/common/text.h"

namespace orrery {

DataDock::DataDock(Session& session, CommandBus& commands, QWidget* parent) : QTreeWidget(parent), m_session(session) {
    setObjectName(QStringLiteral("data.list"));
    setAccessibleName(QStringLiteral("Data of the session"));
    setHeaderLabels({QStringLiteral("File"), QStringLiteral("Size"), QStringLiteral("Kept"), QStringLiteral("SHA-256"),
                     QStringLiteral("Place")});
    setRootIsDecorated(false);
    setFrameShape(QFrame::NoFrame);
    setStyleSheet(QStringLiteral("QTreeWidget { border: none; border-radius: 0; }"));
    setColumnWidth(0, 200);
    setColumnWidth(1, 80);
    setColumnWidth(2, 100);
    setColumnWidth(3, 140);
    connect(&session, &Session::opened_now, this, &DataDock::reload);
    connect(&session, &Session::renamed, this, &DataDock::reload);
    connect(&session, &Session::datasets_changed, this, &DataDock::reload);
    connect(this, &QTreeWidget::itemDoubleClicked, this, [&commands](QTreeWidgetItem* item) {
        (void)commands.execute(CommandCall{"open", {item->text(4).toStdString()}});
    });
    reload();
}

void DataDock::reload() {
    clear();
    for (StoredDataset const& dataset : m_session.datasets()) {
        auto* item = new QTreeWidgetItem(
            this, {qt(dataset.name), bytes_text(static_cast<double>(dataset.bytes)),
                   dataset.embedded ? QStringLiteral("in the session") : QStringLiteral("by reference"),
                   qt(dataset.sha256).left(16), qt(dataset.path)});
        item->setToolTip(3, qt(dataset.sha256));
        item->setToolTip(4, qt(dataset.path));
    }
}

}  // namespace orrery
