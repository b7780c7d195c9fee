#include "app/docks/log_dock.h"

#include <QLineEdit>
#include <QScrollBar>
#include <QTime>
#include <QVBoxLayout>

#include "panels/common/labels.h"
#include "panels/common/text.h"
#include "renderers/theme.h"

namespace orrery {

namespace {

constexpr std::size_t most_lines = 5000;

}  // namespace

void LogBook::add(LogLine::Kind kind, QString const& text) {
    m_lines.push_back({kind, text, QTime::currentTime().toString("HH:mm:ss")});
    if (m_lines.size() > most_lines) m_lines.pop_front();
    Q_EMIT added(m_lines.back());
}

LogDock::LogDock(LogBook& book, CommandBus& commands, QWidget* parent)
    : QWidget(parent), m_book(book), m_commands(commands) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_text = new QPlainTextEdit(this);
    m_text->setObjectName(QStringLiteral("log.text"));
    m_text->setAccessibleName(QStringLiteral("Log"));
    m_text->setReadOnly(true);
    m_text->setMaximumBlockCount(static_cast<int>(most_lines));
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setStyleSheet(QStringLiteral("QPlainTextEdit { border: none; border-radius: 0; }"));
    layout->addWidget(m_text, 1);
    m_line = new QLineEdit(this);
    m_line->setObjectName(QStringLiteral("log.line"));
    m_line->setAccessibleName(QStringLiteral("Command"));
    m_line->setPlaceholderText(QStringLiteral("Type a command, for example: theme dark"));
    layout->addWidget(m_line);
    connect(m_line, &QLineEdit::returnPressed, this, [this] {
        std::string const command = m_line->text().trimmed().toStdString();
        m_line->clear();
        if (!command.empty()) (void)m_commands.execute(command);
    });
    connect(&book, &LogBook::added, this, &LogDock::append);
    connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, &LogDock::reload);
    reload();
}

void LogDock::reload() {
    m_text->setFont(ThemeNotifier::instance().theme().monospaced());
    m_text->clear();
    for (LogLine const& line : m_book.lines()) append(line);
}

void LogDock::append(LogLine const& line) {
    Theme const& theme = ThemeNotifier::instance().theme();
    QColor color = theme.text;
    QString mark = QStringLiteral(" ");
    switch (line.kind) {
        case LogLine::Kind::command:
            mark = QStringLiteral(">");
            break;
        case LogLine::Kind::refused:
            mark = QStringLiteral("✕"), color = theme.bad;
            break;
        case LogLine::Kind::info:
            color = theme.secondary_text;
            break;
        case LogLine::Kind::warning:
            mark = QStringLiteral("!"), color = theme.warn;
            break;
        case LogLine::Kind::error:
            mark = QStringLiteral("✕"), color = theme.bad;
            break;
    }
    m_text->appendHtml(QStringLiteral("<span style='color:%1; white-space:pre'>%2</span> <span style='color:%3; "
                                      "white-space:pre-wrap'>%4 %5</span>")
                           .arg(theme.secondary_text.name(), line.time, color.name(), mark, line.text.toHtmlEscaped()));
}

}  // namespace orrery
