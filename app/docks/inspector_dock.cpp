#include "app/docks/inspector_dock.h"

#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <QHeaderView>
#include <QMenu>
#include <QPointer>
#include <QTimer>
#include <QVBoxLayout>

#include "panels/common/labels.h"
#include "panels/common/room.h"
#include "panels/common/text.h"
#include "renderers/theme.h"

namespace orrery {

namespace {

QString value_words(Json const& value) {
    if (value.is_array()) return value.size() > 4 ? QStringLiteral("%1 entries").arg(value.size()) : qt(value.dump());
    std::vector<std::string> const words = value_to_arguments(value);
    QString const text = words.empty() ? QString() : qt(words.front());
    return text.startsWith('/') ? text.section('/', -1) : text;
}

void add_row(QTreeWidgetItem* section, QString const& name, QString const& value, QString const& tip = {}) {
    auto* row = new QTreeWidgetItem(section, {name, value});
    row->setToolTip(0, name);
    row->setToolTip(1, tip.isEmpty() ? value : tip);
}

}  // namespace

InspectorDock::InspectorDock(Session& session, SelectionModel& selection, QWidget* parent)
    : QWidget(parent), m_session(session) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    m_tree = new QTreeWidget(this);
    m_tree->setObjectName(QStringLiteral("inspector"));
    m_tree->setAccessibleName(QStringLiteral("Inspector"));
    m_tree->setColumnCount(2);
    m_tree->setHeaderHidden(true);
    m_tree->setIndentation(8);
    m_tree->setRootIsDecorated(false);
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->setStyleSheet(QStringLiteral("QTreeWidget { border: none; border-radius: 0; }"));
    m_tree->header()->setSectionResizeMode(QHeaderView::Fixed);
    m_tree->header()->setStretchLastSection(true);
    m_tree->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_tree->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_tree->setContextMenuPolicy(Qt::CustomContextMenu);
    layout->addWidget(m_tree);
    connect(m_tree, &QWidget::customContextMenuRequested, this, [this](QPoint const& at) {
        QTreeWidgetItem* item = m_tree->itemAt(at);
        if (item == nullptr) return;
        auto* menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->addAction(QStringLiteral("Copy value"), this,
                        [text = item->toolTip(1)] { QApplication::clipboard()->setText(text); });
        menu->popup(m_tree->viewport()->mapToGlobal(at));
    });
    // Several changes in one turn of the event loop make one redraw.
    auto const later = [this] {
        if (m_pending) return;
        m_pending = true;
        QTimer::singleShot(0, this, &InspectorDock::refresh);
    };
    connect(&selection, &SelectionModel::selection_changed, this, later);
    connect(&session, &Session::opened_now, this, later);
    connect(&session, &Session::job_changed, this, [this, later](JobStatus const& status) {
        if (m_room != nullptr && m_room->shown_run() == status.id() && !status.busy()) later();
    });
    connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, later);
    refresh();
}

void InspectorDock::show_room(Room* room) {
    if (m_room != nullptr) disconnect(m_room, nullptr, this, nullptr);
    m_room = room;
    if (room != nullptr) {
        connect(room, &Room::state_changed, this, &InspectorDock::refresh);
        connect(room, &Room::room_state_changed, this, &InspectorDock::refresh);
        connect(room, &QObject::destroyed, this, [this, room] {
            if (m_room == room) m_room = nullptr;
        });
    }
    refresh();
}

QTreeWidgetItem* InspectorDock::section(QString const& title) {
    auto* item = new QTreeWidgetItem(m_tree, {title});
    QFont font = ThemeNotifier::instance().theme().sized(11);
    font.setWeight(QFont::DemiBold);
    item->setFont(0, font);
    item->setForeground(0, ThemeNotifier::instance().theme().secondary_text);
    item->setFlags(Qt::ItemIsEnabled);
    item->setFirstColumnSpanned(true);
    return item;
}

void InspectorDock::refresh() {
    m_pending = false;
    m_tree->clear();
    QTreeWidgetItem* selected = section(QStringLiteral("Selection"));
    auto const facts = m_room != nullptr ? m_room->selection_facts() : std::vector<std::pair<QString, QString>>();
    if (facts.empty()) {
        auto* none = new QTreeWidgetItem(selected, {QStringLiteral("Nothing is selected.")});
        none->setFirstColumnSpanned(true);
        none->setForeground(0, ThemeNotifier::instance().theme().secondary_text);
    }
    for (auto const& [name, value] : facts) add_row(selected, name, value);
    auto const status = m_room != nullptr ? m_session.job(m_room->shown_run()) : std::nullopt;
    if (status) add_run(*status);
    m_tree->expandAll();
    fit_columns();
}

// Names take what they need, at most half: values are read in full in their tips.
void InspectorDock::fit_columns() {
    int const wish = static_cast<QAbstractItemView*>(m_tree)->sizeHintForColumn(0);
    m_tree->header()->resizeSection(0, std::min(wish, m_tree->viewport()->width() / 2));
}

void InspectorDock::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit_columns();
}

void InspectorDock::add_run(JobStatus const& status) {
    QTreeWidgetItem* run = section(QStringLiteral("Run shown"));
    QString state = qt(to_string(status.state));
    add_row(run, QStringLiteral("what"), qt(status.spec.title));
    add_row(run, QStringLiteral("state"), state.replace('_', ' '));
    if (!status.started.empty()) add_row(run, QStringLiteral("started"), qt(status.started));
    if (is_final(status.state) && status.elapsed_seconds > 0)
        add_row(run, QStringLiteral("took"), duration_text(status.elapsed_seconds));
    if (QString const verdict = m_session.repeat_verdict(status.id()); !verdict.isEmpty())
        add_row(run, QStringLiteral("repeated"), verdict);
    add_row(run, QStringLiteral("name"), qt(status.id()));
    for (auto const& [name, value] : status.result.values.items()) {
        QString label = qt(name);
        add_row(run, label.replace('_', ' '), value_words(value));
    }
    QTreeWidgetItem* settings = section(QStringLiteral("Settings of the run"));
    PanelDescriptor const* panel = m_session.panel(status.spec.method);
    VerbSchema const* verb = panel != nullptr ? panel->schema->verb(status.spec.verb) : nullptr;
    for (auto const& [name, value] : status.spec.parameters.items()) {
        if (value.is_null()) continue;
        QString label = qt(name), unit;
        if (verb != nullptr)
            for (Parameter const& parameter : verb->parameters)
                if (parameter.name == name) label = qt(parameter.label), unit = qt(parameter.unit);
        QString const text = value_words(value);
        add_row(settings, label, unit.isEmpty() ? text : text + ' ' + unit,
                value.is_string() ? qt(value.get<std::string>()) : qt(value.dump()));
    }
    if (!status.provenance.is_object() || status.provenance.empty()) return;
    QTreeWidgetItem* origin = section(QStringLiteral("Provenance"));
    for (char const* key : {"program", "program_version", "method_name", "method_version", "device", "threads"}) {
        auto const found = status.provenance.find(key);
        if (found != status.provenance.end())
            add_row(origin, QString::fromLatin1(key).replace('_', ' '), value_words(*found));
    }
    auto const part = [&](char const* key) {
        auto const found = status.provenance.find(key);
        return found != status.provenance.end() ? *found : Json();
    };
    Json const inputs = part("inputs"), libraries = part("libraries");
    for (Json const& input : inputs) {
        if (!input.is_object()) continue;
        QString const hash = qt(input.value("sha256", std::string()));
        add_row(origin, qt(input.value("name", std::string())), hash.left(12) + QStringLiteral("…"), hash);
    }
    for (auto const& [name, version] : libraries.items()) add_row(origin, qt(name), value_words(version));
}

}  // namespace orrery
