// Every command that was executed, as text that makes the same state again, and what the program and its jobs said. The
// line below takes commands.
#pragma once

#include "core/base/command.h"
#include "core/base/job.h"

#include <QPlainTextEdit>
#include <QWidget>
#include <deque>

class QLineEdit;

namespace orrery {

struct LogLine {
    enum class Kind { command, refused, info, warning, error };
    Kind kind = Kind::info;
    QString text;
    QString time;
};

// Kept by the window from its first moment; the dock shows it when it is opened.
class LogBook : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    void add(LogLine::Kind kind, QString const& text);
    [[nodiscard]] std::deque<LogLine> const& lines() const { return m_lines; }

signals:
    void added(orrery::LogLine const& line);

private:
    std::deque<LogLine> m_lines;  // the last 5,000
};

class LogDock : public QWidget {
    Q_OBJECT
public:
    LogDock(LogBook& book, CommandBus& commands, QWidget* parent);
    [[nodiscard]] QString text() const { return m_text->toPlainText(); }

private:
    void append(LogLine const& line);
    void reload();
    LogBook& m_book;
    CommandBus& m_commands;
    QPlainTextEdit* m_text = nullptr;
    QLineEdit* m_line = nullptr;
};

}  // namespace orrery
