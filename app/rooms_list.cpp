#include "app/rooms_list.h"

#include <QHash>
#include <QHeaderView>

#include "panels/common/icons.h"
#include "panels/common/text.h"
#include "renderers/theme.h"

namespace orrery {

namespace {

constexpr int slug_role = Qt::UserRole;
constexpr int title_role = Qt::UserRole + 1;

}  // namespace

RoomsList::RoomsList(std::vector<PanelDescriptor> const& panels, QWidget* parent) : QTreeWidget(parent) {
    setObjectName(QStringLiteral("rooms"));
    setAccessibleName(QStringLiteral("Rooms"));
    setHeaderHidden(true);
    setIndentation(0);
    setRootIsDecorated(false);
    setItemsExpandable(false);
    setFrameShape(QFrame::NoFrame);
    setStyleSheet(QStringLiteral("QTreeWidget { border: none; border-radius: 0; }"));
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setTextElideMode(Qt::ElideRight);
    setMinimumWidth(168);
    setIconSize({16, 16});
    m_start = new QTreeWidgetItem(this, {QStringLiteral("Start")});
    m_start->setIcon(0, icon(QStringLiteral("home")));
    m_start->setData(0, slug_role, QString());
    QHash<QString, QTreeWidgetItem*> groups;
    for (PanelDescriptor const& panel : panels) {
        QString const name = qt(panel.schema->group);
        QTreeWidgetItem*& group = groups[name];
        if (group == nullptr) {
            group = new QTreeWidgetItem(this, {name});
            group->setFlags(Qt::ItemIsEnabled);
        }
        auto* room = new QTreeWidgetItem(group, {qt(panel.schema->title)});
        room->setIcon(0, icon(panel.icon.empty() ? QStringLiteral("room") : qt(panel.icon)));
        room->setData(0, slug_role, qt(panel.schema->slug));
        room->setData(0, title_role, qt(panel.schema->title));
        room->setToolTip(0, QStringLiteral("%1\n%2").arg(qt(panel.schema->summary), qt(panel.schema->paper_title)));
    }
    expandAll();
    auto const style_groups = [this] {
        Theme const& theme = ThemeNotifier::instance().theme();
        QFont font = theme.sized(11);
        font.setWeight(QFont::DemiBold);
        QSize const row(0, static_cast<int>(28 * theme.scale));
        m_start->setSizeHint(0, row);
        for (int i = 0; i < topLevelItemCount(); ++i) {
            QTreeWidgetItem* group = topLevelItem(i);
            group->setSizeHint(0, row);
            for (int j = 0; j < group->childCount(); ++j) group->child(j)->setSizeHint(0, row);
            if (group == m_start) continue;
            group->setFont(0, font);
            group->setForeground(0, theme.secondary_text);
        }
    };
    style_groups();
    connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, style_groups);
    connect(this, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item) {
        if (item->flags().testFlag(Qt::ItemIsSelectable))
            Q_EMIT room_wanted(item->data(0, slug_role).toString().toStdString());
    });
    connect(this, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) {
        if (item->flags().testFlag(Qt::ItemIsSelectable))
            Q_EMIT room_wanted(item->data(0, slug_role).toString().toStdString());
    });
    setCurrentItem(m_start);
}

QTreeWidgetItem* RoomsList::item(std::string const& slug) const {
    if (slug.empty()) return m_start;
    for (int i = 0; i < topLevelItemCount(); ++i)
        for (int j = 0; j < topLevelItem(i)->childCount(); ++j)
            if (topLevelItem(i)->child(j)->data(0, slug_role).toString().toStdString() == slug)
                return topLevelItem(i)->child(j);
    return nullptr;
}

void RoomsList::set_current(std::string const& slug) {
    if (QTreeWidgetItem* found = item(slug)) setCurrentItem(found);
}

void RoomsList::set_busy(std::string const& slug, int running) {
    QTreeWidgetItem* found = slug.empty() ? nullptr : item(slug);
    if (found == nullptr) return;
    QString const title = found->data(0, title_role).toString();
    found->setText(0, running > 0 ? QStringLiteral("%1  · %2 running").arg(title).arg(running) : title);
}

}  // namespace orrery
