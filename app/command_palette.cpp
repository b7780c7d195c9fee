#include "app/command_palette.h"

#include <QEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>

#include "app/fuzzy.h"
#include "panels/common/text.h"
#include "renderers/theme.h"
#include "renderers/theme_style.h"

namespace orrery {

namespace {

constexpr int most_shown = 60;
constexpr int detail_role = Qt::UserRole;
constexpr int shortcut_role = Qt::UserRole + 1;

// Title at the left, what it is about after it in the secondary colour, shortcut at the right.
class EntryDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    [[nodiscard]] QSize sizeHint(QStyleOptionViewItem const& option, QModelIndex const&) const override {
        return {option.rect.width(), option.fontMetrics.height() + 14};
    }
    void paint(QPainter* painter, QStyleOptionViewItem const& option, QModelIndex const& index) const override {
        Theme const& theme = ThemeNotifier::instance().theme();
        painter->save();
        if (option.state.testFlag(QStyle::State_Selected)) {
            painter->setRenderHint(QPainter::Antialiasing);
            painter->setPen(Qt::NoPen);
            painter->setBrush(selected(theme));
            painter->drawRoundedRect(option.rect.adjusted(4, 1, -4, -1), 4, 4);
        }
        QRect area = option.rect.adjusted(14, 0, -14, 0);
        QString const shortcut = index.data(shortcut_role).toString();
        painter->setFont(option.font);
        if (!shortcut.isEmpty()) {
            painter->setPen(theme.secondary_text);
            painter->drawText(area, Qt::AlignVCenter | Qt::AlignRight, shortcut);
            area.setRight(area.right() - option.fontMetrics.horizontalAdvance(shortcut) - 16);
        }
        painter->setPen(theme.text);
        QString const title =
            option.fontMetrics.elidedText(index.data(Qt::DisplayRole).toString(), Qt::ElideRight, area.width());
        painter->drawText(area, Qt::AlignVCenter | Qt::AlignLeft, title);
        area.setLeft(area.left() + option.fontMetrics.horizontalAdvance(title) + 14);
        painter->setPen(theme.secondary_text);
        painter->drawText(
            area, Qt::AlignVCenter | Qt::AlignLeft,
            option.fontMetrics.elidedText(index.data(detail_role).toString(), Qt::ElideRight, area.width()));
        painter->restore();
    }
};

}  // namespace

CommandPalette::CommandPalette(CommandBus& commands, std::function<std::vector<PaletteEntry>()> entries,
                               QWidget* window)
    : QFrame(window), m_commands(commands), m_make_entries(std::move(entries)) {
    setObjectName(QStringLiteral("palette"));
    setProperty("role", "card");
    setAutoFillBackground(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->setSpacing(6);
    m_line = new QLineEdit(this);
    m_line->setObjectName(QStringLiteral("palette.line"));
    m_line->setAccessibleName(QStringLiteral("Search commands, methods, help"));
    m_line->setPlaceholderText(QStringLiteral("Search commands, methods, papers, file types, help"));
    m_line->setClearButtonEnabled(true);
    layout->addWidget(m_line);
    m_list = new QListWidget(this);
    m_list->setObjectName(QStringLiteral("palette.list"));
    m_list->setAccessibleName(QStringLiteral("Found"));
    m_list->setItemDelegate(new EntryDelegate(m_list));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setStyleSheet(QStringLiteral("QListWidget { border: none; border-radius: 0; }"));
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setFocusPolicy(Qt::NoFocus);
    layout->addWidget(m_list, 1);
    m_line->installEventFilter(this);
    connect(m_line, &QLineEdit::textEdited, this, &CommandPalette::show_found);
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::accept);
    hide();
}

void CommandPalette::open(QString const& typed) {
    m_entries = m_make_entries();
    QWidget* window = parentWidget();
    int const width = std::min(720, window->width() - 48), height = std::min(440, window->height() - 96);
    setGeometry((window->width() - width) / 2, 40, width, height);
    m_line->setText(typed);
    show_found();
    show();
    raise();
    m_line->setFocus(Qt::ShortcutFocusReason);
}

std::vector<PaletteEntry> CommandPalette::found(QString const& typed) const {
    std::vector<std::pair<int, std::size_t>> scored;
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        PaletteEntry const& entry = m_entries[i];
        // The title counts most; the other words find what it does not name.
        int const by_title = fuzzy_score(typed, entry.title);
        int const by_words = fuzzy_score(typed, entry.title + ' ' + entry.words) / 2;
        if (int const score = std::max(by_title, by_words); score > 0) scored.emplace_back(score, i);
    }
    bool const all = typed.trimmed().isEmpty();
    if (!all)
        std::stable_sort(scored.begin(), scored.end(), [](auto const& a, auto const& b) { return a.first > b.first; });
    std::vector<PaletteEntry> result;
    for (auto const& [score, i] : scored) {
        result.push_back(m_entries[i]);
        if (result.size() == most_shown) break;
    }
    return result;
}

void CommandPalette::show_found() {
    m_shown = found(m_line->text());
    m_list->clear();
    for (PaletteEntry const& entry : m_shown) {
        auto* item = new QListWidgetItem(entry.title, m_list);
        item->setData(detail_role, entry.detail);
        item->setData(shortcut_role, entry.shortcut);
        item->setData(Qt::AccessibleTextRole, entry.title + QStringLiteral(", ") + entry.detail);
    }
    m_list->setCurrentRow(0);
}

void CommandPalette::accept() {
    QString const typed = m_line->text().trimmed();
    int const row = m_list->currentRow();
    // "set stab-ddg.draws 20" is a command as it stands; "theme" alone is a word to search for.
    auto const call = CommandCall::parse(typed.toStdString());
    bool as_typed = false;
    if (call.ok() && !call->arguments.empty())
        for (CommandDescription const& description : m_commands.descriptions())
            as_typed = as_typed || description.name == call->name;
    std::string text;
    if (as_typed && !(row > 0)) {
        text = typed.toStdString();
    } else if (row >= 0 && row < static_cast<int>(m_shown.size())) {
        PaletteEntry const& entry = m_shown[static_cast<std::size_t>(row)];
        if (!entry.complete) {
            m_line->setText(qt(entry.text) + ' ');
            show_found();
            return;
        }
        text = entry.text;
    }
    if (text.empty()) return;
    hide();
    parentWidget()->setFocus();
    (void)m_commands.execute(text);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress) {
        int const key = static_cast<QKeyEvent*>(event)->key();
        int const step = key == Qt::Key_Down       ? 1
                         : key == Qt::Key_Up       ? -1
                         : key == Qt::Key_PageDown ? 8
                         : key == Qt::Key_PageUp   ? -8
                                                   : 0;
        if (step != 0 && m_list->count() > 0) {
            m_list->setCurrentRow(std::clamp(m_list->currentRow() + step, 0, m_list->count() - 1));
            return true;
        }
        if (key == Qt::Key_Return || key == Qt::Key_Enter) {
            accept();
            return true;
        }
        if (key == Qt::Key_Escape) {
            hide();
            parentWidget()->setFocus();
            return true;
        }
    }
    if (event->type() == QEvent::FocusOut && static_cast<QFocusEvent*>(event)->reason() != Qt::PopupFocusReason &&
        static_cast<QFocusEvent*>(event)->reason() != Qt::ActiveWindowFocusReason && !m_list->underMouse())
        hide();
    return QFrame::eventFilter(watched, event);
}

}  // namespace orrery
