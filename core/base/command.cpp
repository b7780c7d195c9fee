#include "core/base/command.h"

#include "core/base/nearest.h"

#include <exception>
#include <utility>

namespace orrery {

namespace {

bool plain(std::string_view word) {
    if (word.empty()) return false;
    for (char const c : word) {
        auto const byte = static_cast<unsigned char>(c);
        bool const letter =
            (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9');
        if (!letter && byte < 0x80 && std::string_view("_./:+,=@%~-*<>()[]").find(c) == std::string_view::npos)
            return false;
    }
    return true;
}

std::string quoted(std::string_view word) {
    std::string text = "\"";
    for (char const c : word) {
        switch (c) {
            case '"':
                text += "\\\"";
                break;
            case '\\':
                text += "\\\\";
                break;
            case '\n':
                text += "\\n";
                break;
            case '\t':
                text += "\\t";
                break;
            default:
                text += c;
        }
    }
    return text + '"';
}

Error at_column(std::string what, std::size_t index, std::string remedy = {}) {
    return bad_input(std::move(what), "column " + std::to_string(index + 1), std::move(remedy));
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Appends the inside of the quotes that open at text[at] to `word` and moves past the closing one.
Result<void> read_quoted(std::string_view text, std::size_t& at, std::string& word) {
    std::size_t const opened = at++;
    for (; at < text.size(); ++at) {
        char c = text[at];
        if (c == '"') {
            ++at;
            return {};
        }
        if (c == '\\') {
            if (++at >= text.size()) break;
            constexpr std::string_view codes = "\"\\nt", meanings = "\"\\\n\t";
            std::size_t const code = codes.find(text[at]);
            if (code == std::string_view::npos)
                return at_column(std::string("the escape \\") + text[at] + " is unknown", at - 1,
                                 "Write \\\\ for a backslash inside quotes");
            c = meanings[code];
        }
        word += c;
    }
    return at_column("a quote is never closed", opened);
}

}  // namespace

std::string CommandCall::text() const {
    std::string text = plain(name) ? name : quoted(name);
    for (std::string const& argument : arguments) text += ' ' + (plain(argument) ? argument : quoted(argument));
    return text;
}

Result<CommandCall> CommandCall::parse(std::string_view text) {
    std::vector<std::string> words;
    std::size_t at = 0;
    for (;;) {
        while (at < text.size() && is_blank(text[at])) ++at;
        if (at >= text.size()) break;
        std::string word;
        while (at < text.size() && !is_blank(text[at])) {
            if (text[at] == '"')
                ORRERY_CHECK(read_quoted(text, at, word));
            else
                word += text[at++];
        }
        words.push_back(std::move(word));
    }
    if (words.empty() || words[0].empty()) return bad_input("no command is given");
    CommandCall call;
    call.name = std::move(words[0]);
    call.arguments.assign(std::make_move_iterator(words.begin() + 1), std::make_move_iterator(words.end()));
    return call;
}

CommandBus::CommandBus() {
    add({"undo", "undo", "Take the last change back.", "Ctrl+Z", true}, {});
    add({"redo", "redo", "Make the change again that was taken back.", "Ctrl+Shift+Z", true}, {});
}

void CommandBus::add(CommandDescription description, Handler handler) {
    std::string name = description.name;
    m_commands.insert_or_assign(std::move(name), std::pair{std::move(description), std::move(handler)});
}

Result<void> CommandBus::record(std::string text, Result<void> outcome) {
    m_history.push_back({std::move(text), outcome.ok(), outcome.ok() ? std::string() : outcome.error().message()});
    // A copy: the listener may execute a command, which moves the history.
    Entry const entry = m_history.back();
    if (on_executed) on_executed(entry);
    return outcome;
}

Result<void> CommandBus::perform(CommandCall const& call, bool redoing) {
    auto const found = m_commands.find(call.name);
    if (found == m_commands.end()) {
        std::vector<std::string> names;
        for (auto const& [name, command] : m_commands) names.push_back(name);
        return bad_input("there is no command \"" + call.name + "\"", {}, did_you_mean(call.name, names));
    }
    // A copy: the handler may add commands.
    Handler const handler = found->second.second;
    Result<Done> result = internal_error("the command \"" + call.name + "\" does nothing");
    try {
        if (handler) result = handler(call.arguments);
    } catch (std::exception const& fault) {
        result = internal_error("the command \"" + call.name + "\" failed", fault.what());
    }
    if (!result) return std::move(result).error();
    if (result->undo) {
        m_undo.push_back({call, std::move(result).value()});
        if (!redoing) m_redo.clear();
        if (on_undo_changed) on_undo_changed();
    }
    return {};
}

Result<void> CommandBus::step_back() {
    if (m_undo.empty()) return bad_input("there is nothing to undo");
    Undoable last = std::move(m_undo.back());
    m_undo.pop_back();
    Result<void> outcome;
    try {
        last.done.undo();
        m_redo.push_back(std::move(last));
    } catch (std::exception const& fault) {
        outcome = internal_error("\"" + last.call.text() + "\" could not be undone", fault.what());
    }
    if (on_undo_changed) on_undo_changed();
    return outcome;
}

Result<void> CommandBus::step_forward() {
    if (m_redo.empty()) return bad_input("there is nothing to redo");
    Undoable const next = m_redo.back();
    Result<void> outcome = perform(next.call, true);
    // One that fails stays, to be tried again when its cause is gone.
    if (outcome && !m_redo.empty()) m_redo.pop_back();
    if (on_undo_changed) on_undo_changed();
    return outcome;
}

Result<void> CommandBus::undo() { return record("undo", step_back()); }
Result<void> CommandBus::redo() { return record("redo", step_forward()); }

Result<void> CommandBus::execute(CommandCall const& call) {
    if (call.name == "undo") return undo();
    if (call.name == "redo") return redo();
    return record(call.text(), perform(call, false));
}

Result<void> CommandBus::execute(std::string_view text) {
    Result<CommandCall> call = CommandCall::parse(text);
    if (!call) return record(std::string(text), std::move(call).error());
    return execute(*call);
}

void CommandBus::forget_undo() {
    m_undo.clear();
    m_redo.clear();
    if (on_undo_changed) on_undo_changed();
}

bool CommandBus::can_undo() const { return !m_undo.empty(); }
bool CommandBus::can_redo() const { return !m_redo.empty(); }
std::string CommandBus::undo_text() const { return m_undo.empty() ? std::string() : m_undo.back().done.undo_text; }
std::string CommandBus::redo_text() const { return m_redo.empty() ? std::string() : m_redo.back().done.undo_text; }

std::vector<CommandDescription> CommandBus::descriptions() const {
    std::vector<CommandDescription> list;
    list.reserve(m_commands.size());
    for (auto const& [name, command] : m_commands) list.push_back(command.first);
    return list;
}

}  // namespace orrery
