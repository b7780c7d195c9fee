#include "app/commands/commands.h"
#include "app/main_window.h"
#include "app/room_host.h"
#include "panels/common/text.h"

namespace orrery {

namespace {

using Arguments = std::vector<std::string>;

// The run named; else the one shown in the room in front; else the last one.
Result<std::string> named_run(MainWindow& window, Arguments const& arguments) {
    if (!arguments.empty() && arguments[0] != "last") {
        if (window.session().find(arguments[0]) == nullptr)
            return bad_input("there is no run \"" + arguments[0] + "\"");
        return arguments[0];
    }
    if (arguments.empty())
        if (Room* room = window.rooms().current_room(); room != nullptr && !room->shown_run().empty())
            return room->shown_run();
    if (auto const last = window.session().last_run()) return *last;
    return bad_input("there is no run yet");
}

Result<Done> run(MainWindow& window, Arguments const& arguments) {
    Room* room = arguments.empty() ? window.rooms().current_room() : window.rooms().room(arguments[0]);
    if (room == nullptr)
        return arguments.empty() ? bad_input("no room is open", {}, "choose one at the left")
                                 : bad_input("there is no room \"" + arguments[0] + "\"");
    window.rooms().show_room(room->slug());
    std::string const verb = arguments.size() > 1 ? arguments[1] : room->verb();
    room->set_verb(verb);
    ORRERY_TRY(JobSpec spec, room->job_spec(verb));
    spec.threads = window.settings().threads();
    room->show_run(window.session().submit(std::move(spec), false));
    return Done{};
}

Result<Done> show_run(MainWindow& window, Arguments const& arguments) {
    ORRERY_TRY(std::string const id, named_run(window, arguments));
    JobStatus const* status = window.session().find(id);
    Room* room = window.rooms().room(status->spec.method);
    if (room == nullptr)
        return bad_input("run " + id + " is of a method this Orrery does not have: " + status->spec.method);
    window.rooms().show_room(room->slug());
    std::string const before = room->shown_run();
    room->show_run(id);
    return Done{[&window, slug = room->slug(), before] {
                    if (Room* again = window.rooms().room(slug)) again->show_run(before);
                },
                "Show run " + id};
}

Result<Done> use_settings(MainWindow& window, Arguments const& arguments) {
    ORRERY_TRY(std::string const id, named_run(window, arguments));
    JobStatus const* status = window.session().find(id);
    Json values = Json::object();
    if (PanelDescriptor const* panel = find_panel(window.panels(), status->spec.method))
        if (VerbSchema const* verb = panel->schema->verb(status->spec.verb))
            for (Parameter const& parameter : verb->parameters)
                if (auto const found = status->spec.parameters.find(parameter.name);
                    found != status->spec.parameters.end() && *found != parameter.default_value)
                    values[parameter.name] = *found;
    ORRERY_CHECK(
        window.commands().execute(CommandCall{"fill", {status->spec.method, status->spec.verb, values.dump()}}));
    return Done{};
}

}  // namespace

void add_job_commands(MainWindow& window) {
    CommandBus& bus = window.commands();
    bus.add({"run", "run [room] [verb]", "Run what a room is set to", "Ctrl+Return"},
            [&window](Arguments const& arguments) { return run(window, arguments); });
    auto const add = [&](char const* name, char const* help, Result<void> (Session::*action)(std::string const&)) {
        bus.add({name, std::string(name) + " [run]", help, ""},
                [&window, action](Arguments const& arguments) -> Result<Done> {
                    ORRERY_TRY(std::string const id, named_run(window, arguments));
                    ORRERY_CHECK((window.session().*action)(id));
                    return Done{};
                });
    };
    add("pause", "Pause a run: it writes a checkpoint", &Session::pause);
    add("resume", "Go on with a paused run, or a cancelled one that kept a checkpoint", &Session::resume);
    add("cancel", "Cancel a run; results so far are kept", &Session::cancel);
    bus.add({"remove-run", "remove-run [run]", "Remove a run and its results (can't be undone)", ""},
            [&window](Arguments const& arguments) -> Result<Done> {
                ORRERY_TRY(std::string const id, named_run(window, arguments));
                ORRERY_CHECK(window.session().remove(id));
                for (PanelDescriptor const& panel : window.panels())
                    if (Room* room = window.rooms().existing_room(panel.schema->slug);
                        room != nullptr && room->shown_run() == id)
                        room->show_run({});
                return Done{};
            });
    bus.add({"repeat-run", "repeat-run [run]", "Repeat a run and compare with what it gave before", ""},
            [&window](Arguments const& arguments) -> Result<Done> {
                ORRERY_TRY(std::string const id, named_run(window, arguments));
                ORRERY_TRY(std::string const repeated, window.session().repeat(id));
                if (Room* room = window.rooms().room(window.session().find(repeated)->spec.method)) {
                    window.rooms().show_room(room->slug());
                    room->show_run(repeated);
                }
                return Done{};
            });
    bus.add({"show-run", "show-run [run]", "Show the results of a run", ""},
            [&window](Arguments const& arguments) { return show_run(window, arguments); });
    bus.add({"use-settings", "use-settings [run]", "Put the settings of a run into the form", ""},
            [&window](Arguments const& arguments) { return use_settings(window, arguments); });
}

}  // namespace orrery
