#include "app/journey_state.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTextEdit>
#include <fstream>
#include <optional>

#include "app/docks.h"
#include "app/journey_input.h"
#include "app/main_window.h"
#include "app/room_host.h"
#include "app/status_line.h"
#include "core/base/number.h"
#include "panels/common/text.h"
#include "renderers/theme.h"

namespace orrery {

namespace {

Error unknown(std::string const& path) {
    return bad_input("there is no state \"" + path + "\"", {}, "app/journey_state.h lists what there is");
}

// "a.b.c" -> "a", rest "b.c"
std::string take_word(std::string& path) {
    auto const dot = path.find('.');
    std::string word = path.substr(0, dot);
    path = dot == std::string::npos ? std::string() : path.substr(dot + 1);
    return word;
}

QString joined(QSet<QString> const& keys) {
    QStringList list = keys.values();
    list.sort();
    return list.join(',');
}

Result<Json> room_state(Room const& room, std::string const& path) {
    std::string rest = path;
    std::string const word = take_word(rest);
    if (word == "state") return Json(to_string(room.room_state()));
    if (word == "verb") return Json(room.verb());
    if (word == "run") return Json(room.shown_run());
    if (word == "values") return room.value(rest);
    if (word == "note") {
        auto const* strip = room.findChild<QLabel*>(qt(room.slug() + ".state"));
        return Json(strip != nullptr && strip->isVisible() ? strip->accessibleName().toStdString() : std::string());
    }
    return room.inspect(path);
}

Result<Json> job_state(Session const& session, JobStatus const& status, std::string const& path) {
    std::string rest = path;
    std::string const word = take_word(rest);
    if (word == "id") return Json(status.id());
    if (word == "state") return Json(std::string(to_string(status.state)));
    if (word == "fraction") return Json(status.fraction);
    if (word == "verb") return Json(status.spec.verb);
    if (word == "title") return Json(status.spec.title);
    if (word == "error") return Json(status.error ? status.error->message() : std::string());
    if (word == "artifacts") return Json(status.result.artifacts.size());
    if (word == "warnings") return Json(status.result.warnings.size());
    if (word == "seconds") return Json(status.elapsed_seconds);
    if (word == "verdict") return Json(session.repeat_verdict(status.id()).toStdString());
    if (word == "values") return status.result.values.value(rest, Json());
    return unknown(path);
}

Result<Json> jobs_state(Session const& session, std::string const& path) {
    std::string rest = path;
    std::string const word = take_word(rest);
    if (word == "busy") return Json(session.busy_count());
    if (word == "count") {
        int count = 0;
        for (std::string const& id : session.order()) count += session.find(id)->helper ? 0 : 1;
        return Json(count);
    }
    std::optional<std::string> const id = word == "last" ? session.last_run() : word;
    JobStatus const* status = id ? session.find(*id) : nullptr;
    if (status == nullptr) return bad_input("there is no run \"" + word + "\"");
    return job_state(session, *status, rest);
}

QString text_of(QWidget* widget) {
    if (auto* label = qobject_cast<QLabel*>(widget)) return label->text();
    if (auto* button = qobject_cast<QAbstractButton*>(widget)) return button->text();
    if (auto* line = qobject_cast<QLineEdit*>(widget)) return line->text();
    if (auto* box = qobject_cast<QComboBox*>(widget)) return box->currentText();
    if (auto* text = qobject_cast<QPlainTextEdit*>(widget)) return text->toPlainText();
    if (auto* text = qobject_cast<QTextEdit*>(widget)) return text->toPlainText();
    return widget->accessibleName();
}

// Object names hold dots, so the property is what follows the last one.
Result<Json> widget_state(MainWindow& window, std::string const& path) {
    auto const dot = path.rfind('.');
    std::string const name = path.substr(0, dot), property = dot == std::string::npos ? "text" : path.substr(dot + 1);
    QWidget* widget = find_widget(window, qt(name), false);
    if (property == "visible") return Json(widget != nullptr && widget->isVisible());
    if (widget == nullptr) return bad_input("there is no widget \"" + name + "\"");
    if (property == "text") return Json(text_of(widget).toStdString());
    if (property == "enabled") return Json(widget->isEnabled());
    if (property == "width") return Json(widget->width());
    if (property == "height") return Json(widget->height());
    auto* button = qobject_cast<QAbstractButton*>(widget);
    if (property == "checked" && button != nullptr) return Json(button->isChecked());
    return bad_input("widget \"" + name + "\" has no \"" + property + "\"");
}

bool mapped(std::string const& text) {
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);)
        if (line.find(text) != std::string::npos) return true;
    return false;
}

Result<Json> session_state(Session const& session, std::string const& path) {
    if (path == "name") return Json(session.name().toStdString());
    if (path == "path") return Json(session.path().string());
    if (path == "ready") return Json(session.ready());
    if (path == "datasets") return Json(session.datasets().size());
    return unknown("session." + path);
}

Result<Json> log_state(MainWindow& window, std::string const& path) {
    auto const& lines = window.log().lines();
    if (path == "count") return Json(lines.size());
    if (path == "last") return Json(lines.empty() ? std::string() : lines.back().text.toStdString());
    return unknown("log." + path);
}

std::string as_text(Json const& value) {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_number()) return number_text(value.get<double>());
    return value.dump();
}

}  // namespace

Result<Json> read_state(MainWindow& window, std::string const& path) {
    std::string rest = path;
    std::string const word = take_word(rest);
    if (word == "room" && rest.empty()) return Json(window.rooms().current_slug());
    if (word == "room" || word == "rooms") {
        Room* room = word == "room" ? window.rooms().current_room() : window.rooms().existing_room(take_word(rest));
        if (room == nullptr) return bad_input("no room is open");
        return room_state(*room, rest);
    }
    if (word == "jobs") return jobs_state(window.session(), rest);
    if (word == "selection") return Json(joined(window.selection().selected(qt(rest))).toStdString());
    if (word == "hover") return Json(window.selection().hovered(qt(rest)).toStdString());
    if (word == "widget") return widget_state(window, rest);
    if (word == "session") return session_state(window.session(), rest);
    if (word == "theme") return Json(ThemeNotifier::instance().theme().name.toStdString());
    if (word == "scale") return Json(ThemeNotifier::instance().theme().scale);
    if (word == "layout") return Json(window.docks().visible(qt(rest)));
    if (word == "undo") return Json(window.commands().can_undo() ? window.commands().undo_text() : std::string());
    if (word == "redo") return Json(window.commands().can_redo() ? window.commands().redo_text() : std::string());
    if (word == "log") return log_state(window, rest);
    if (word == "message") return Json(window.rooms().strip().text().toStdString());
    if (word == "memory") return Json(resident_bytes() / 1e6);
    if (word == "maps") return Json(mapped(rest));
    return unknown(path);
}

Result<void> expect_state(MainWindow& window, std::string const& path, std::string const& op,
                          std::string const& value) {
    ORRERY_TRY(Json const found, read_state(window, path));
    std::string const text = as_text(found);
    auto const left = parse_real(text), right = parse_real(value);
    bool holds = false;
    if (op == "contains")
        holds = text.find(value) != std::string::npos;
    else if (op == "==")
        holds = left && right ? *left == *right : text == value;
    else if (op == "!=")
        holds = left && right ? *left != *right : text != value;
    else if (left && right && op == "<")
        holds = *left < *right;
    else if (left && right && op == "<=")
        holds = *left <= *right;
    else if (left && right && op == ">")
        holds = *left > *right;
    else if (left && right && op == ">=")
        holds = *left >= *right;
    else if (op == "<" || op == "<=" || op == ">" || op == ">=")
        return bad_input(path + " is \"" + text + "\", which is no number");
    else
        return bad_input("there is no operator \"" + op + "\"", {}, "==, !=, <, <=, >, >=, contains");
    if (!holds) return bad_input(path + " is \"" + text + "\"");
    return {};
}

}  // namespace orrery
