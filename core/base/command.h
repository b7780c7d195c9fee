// Every user action is a command with a text form: menus, palette, forms, journeys and the log use the same text.
//   open "1AO7.pdb"            set stab-ddg.draws 20            run stab-ddg scan            select residue A:63
// The log of a session is a script that makes the same state again.
#pragma once

#include "core/base/result.h"

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

struct CommandCall {
    std::string name;
    std::vector<std::string> arguments;
    [[nodiscard]] std::string text() const;  // quotes where needed; parse(text()) gives the same call
    // Shell-like words; in "..." quotes \" \\ \n \t stand for a quote, a backslash, a line feed and a tab, so that a
    // call is always one line. Errors: no command, an open quote, an unknown escape (with the column).
    static Result<CommandCall> parse(std::string_view text);
};

struct CommandDescription {
    std::string name;      // "set"
    std::string usage;     // "set <room>.<parameter> <value>"
    std::string help;      // one sentence, for the palette
    std::string shortcut;  // "Ctrl+O", empty if none
    bool in_palette = true;
};

// What doing a command gave: how to undo it (empty function: it can't be undone) and what the undo entry says.
struct Done {
    std::function<void()> undo;
    std::string undo_text;  // "Set draws to 20"
};

// One per window. All calls on the window's thread. "undo" and "redo" are commands of every bus: it does them itself,
// an add() under these names changes their description alone. A command that can't be undone leaves both stacks as they
// are; one that can clears what was to be redone. A handler that throws is an internal error, not a crash.
class CommandBus {
public:
    using Handler = std::function<Result<Done>(std::vector<std::string> const& arguments)>;
    struct Entry {
        std::string text;
        bool ok = false;
        std::string message;  // the error's message
    };

    CommandBus();
    void add(CommandDescription description, Handler handler);  // replaces one of that name
    Result<void> execute(CommandCall const& call);
    Result<void> execute(std::string_view text);
    Result<void> undo();
    Result<void> redo();  // executes the command's text again
    void forget_undo();   // another session is in place: what could be undone belongs to the one that is gone
    [[nodiscard]] bool can_undo() const;
    [[nodiscard]] bool can_redo() const;
    [[nodiscard]] std::string undo_text() const;
    [[nodiscard]] std::string redo_text() const;
    [[nodiscard]] std::vector<CommandDescription> descriptions() const;
    [[nodiscard]] std::vector<Entry> const& history() const { return m_history; }
    std::function<void(Entry const&)> on_executed;  // also for undo and redo, and for calls that failed
    std::function<void()> on_undo_changed;

private:
    struct Undoable {
        CommandCall call;
        Done done;
    };
    Result<void> perform(CommandCall const& call, bool redoing);
    Result<void> step_back();
    Result<void> step_forward();
    Result<void> record(std::string text, Result<void> outcome);

    std::map<std::string, std::pair<CommandDescription, Handler>, std::less<>> m_commands;
    std::vector<Undoable> m_undo, m_redo;
    std::vector<Entry> m_history;
};

}  // namespace orrery
