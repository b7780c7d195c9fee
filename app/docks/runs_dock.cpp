#include "app/docks/runs_dock.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "panels/common/labels.h"
#include "panels/common/text.h"

namespace orrery {

namespace {

QString state_text(JobStatus const& status) {
    QString text = qt(to_string(status.state));
    text.replace('_', ' ');
    if (status.held) text = QStringLiteral("waits to be resumed");
    if (!status.changed_inputs.empty()) text += QStringLiteral(", stale: an input file changed");
    return text;
}

}  // namespace

RunsModel::RunsModel(Session& session, QObject* parent) : QAbstractTableModel(parent), m_session(session) {
    connect(&session, &Session::opened_now, this, &RunsModel::reload);
    connect(&session, &Session::renamed, this, &RunsModel::reload);
    connect(&session, &Session::job_removed, this, &RunsModel::reload);
    connect(&session, &Session::job_added, this, &RunsModel::reload);
    connect(&session, &Session::job_changed, this, [this](JobStatus const& status) {
        if (int const changed = row(status.id()); changed >= 0)
            Q_EMIT dataChanged(index(changed, 0), index(changed, column_count - 1));
    });
    reload();
}

void RunsModel::reload() {
    beginResetModel();
    m_ids.clear();
    auto const& order = m_session.order();
    for (auto id = order.rbegin(); id != order.rend(); ++id)
        if (JobStatus const* status = m_session.find(*id); status != nullptr && !status->helper) m_ids.push_back(*id);
    endResetModel();
}

int RunsModel::row(std::string const& id) const {
    auto const found = std::find(m_ids.begin(), m_ids.end(), id);
    return found == m_ids.end() ? -1 : static_cast<int>(found - m_ids.begin());
}

int RunsModel::rowCount(QModelIndex const& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_ids.size());
}
int RunsModel::columnCount(QModelIndex const& parent) const { return parent.isValid() ? 0 : column_count; }

QVariant RunsModel::data(QModelIndex const& index, int role) const {
    if (!index.isValid() || (role != Qt::DisplayRole && role != Qt::ToolTipRole)) return {};
    JobStatus const* const status = m_session.find(id(index.row()));
    if (status == nullptr) return {};
    switch (index.column()) {
        case title:
            return qt(status->spec.title);
        case state:
            return state_text(*status);
        case started:
            return qt(status->started);
        case duration:
            return is_final(status->state) && status->elapsed_seconds > 0 ? duration_text(status->elapsed_seconds)
                                                                          : QString();
        case comparison: {
            std::string const first = m_session.repeat_of(status->id());
            if (first.empty()) return {};
            QString const verdict = m_session.repeat_verdict(status->id());
            return verdict.isEmpty() ? QStringLiteral("repeats %1").arg(qt(first)) : verdict;
        }
        case identity:
            return qt(status->id());
        default:
            return {};
    }
}

QVariant RunsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    static char const* const names[] = {"Run", "State", "Started", "Took", "Compared with before", "Name"};
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section >= column_count) return {};
    return QString::fromLatin1(names[section]);
}

RunsDock::RunsDock(Session& session, CommandBus& commands, QWidget* parent) : QWidget(parent), m_commands(commands) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* bar = new QHBoxLayout();
    bar->setContentsMargins(8, 4, 8, 4);
    bar->setSpacing(4);
    auto const add = [&](char const* text, char const* icon_name, char const* command) {
        QToolButton* button = make_quiet_button(QString::fromLatin1(text), QString::fromLatin1(icon_name),
                                                QStringLiteral("runs.%1").arg(QString::fromLatin1(command)), this);
        connect(button, &QToolButton::clicked, this, [this, command] { issue(command); });
        bar->addWidget(button);
        return button;
    };
    add("Show", "show", "show-run");
    add("Repeat and compare", "repeat", "repeat-run");
    add("Remove", "remove", "remove-run")
        ->setToolTip(QStringLiteral("Takes the run and its results out of the session; can't be undone"));
    bar->addStretch(1);
    layout->addLayout(bar);
    m_model = new RunsModel(session, this);
    m_view = new QTableView(this);
    m_view->setObjectName(QStringLiteral("runs.table"));
    m_view->setAccessibleName(QStringLiteral("Runs"));
    m_view->setModel(m_model);
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setSelectionMode(QAbstractItemView::SingleSelection);
    m_view->setShowGrid(false);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setStyleSheet(
        QStringLiteral("QTableView { border: none; border-radius: 0; } QTableView::item { padding: 0 8px; }"));
    m_view->verticalHeader()->hide();
    m_view->verticalHeader()->setDefaultSectionSize(28);
    m_view->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_view->horizontalHeader()->setHighlightSections(false);
    m_view->setColumnWidth(RunsModel::title, 210);
    m_view->setColumnWidth(RunsModel::state, 110);
    m_view->setColumnWidth(RunsModel::started, 90);
    m_view->setColumnWidth(RunsModel::duration, 80);
    m_view->setColumnWidth(RunsModel::comparison, 240);
    m_view->horizontalHeader()->setStretchLastSection(true);
    layout->addWidget(m_view, 1);
    connect(m_view, &QTableView::doubleClicked, this, [this] { issue("show-run"); });
}

void RunsDock::issue(char const* command) {
    QModelIndex const current = m_view->currentIndex();
    if (current.isValid()) (void)m_commands.execute(CommandCall{command, {m_model->id(current.row())}});
}

}  // namespace orrery
