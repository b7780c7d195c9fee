#include <filesystem>

#include "app/commands/commands.h"
#include "app/main_window.h"
#include "app/room_host.h"
#include "core/base/files.h"
#include "core/base/nearest.h"
#include "panels/common/help.h"
#include "panels/common/text.h"

namespace orrery {

namespace {

using Arguments = std::vector<std::string>;

Error no_room(MainWindow& window, std::string const& slug) {
    std::vector<std::string> slugs;
    for (PanelDescriptor const& panel : window.panels()) slugs.push_back(panel.schema->slug);
    return bad_input("there is no room \"" + slug + "\"", {}, did_you_mean(slug, slugs));
}

// The room named, or the one in front when none is.
Result<Room*> named_room(MainWindow& window, Arguments const& arguments) {
    if (arguments.empty()) {
        Room* room = window.rooms().current_room();
        if (room == nullptr) return bad_input("no room is open", {}, "choose one at the left");
        return room;
    }
    Room* room = window.rooms().room(arguments[0]);
    if (room == nullptr) return no_room(window, arguments[0]);
    return room;
}

struct RoomParameter {
    Room* room;
    std::string name;
};
// "stab-ddg.draws"
Result<RoomParameter> room_parameter(MainWindow& window, Arguments const& arguments, char const* command) {
    auto const dot = arguments.empty() ? std::string::npos : arguments[0].find('.');
    if (dot == std::string::npos)
        return bad_input(std::string(command) + " needs <room>.<name>", {},
                         "for example: " + std::string(command) + " stab-ddg.draws");
    std::string const slug = arguments[0].substr(0, dot);
    Room* room = window.rooms().room(slug);
    if (room == nullptr) return no_room(window, slug);
    return RoomParameter{room, arguments[0].substr(dot + 1)};
}

Done undo_value(MainWindow& window, Room const& room, std::string const& name, Json before) {
    Parameter const* parameter = room.parameter(name);
    std::string const label = parameter != nullptr ? parameter->label : name;
    return {[&window, slug = room.slug(), name, before = std::move(before)] {
                if (Room* again = window.rooms().room(slug)) again->put_value(name, before);
            },
            "Set " + label};
}

Result<Done> set_value(MainWindow& window, Arguments const& arguments) {
    ORRERY_TRY(RoomParameter const target, room_parameter(window, arguments, "set"));
    auto const found = target.room->values().find(target.name);
    Json const before = found != target.room->values().end() ? *found : Json();
    ORRERY_CHECK(target.room->set_value(target.name, {arguments.begin() + 1, arguments.end()}));
    return undo_value(window, *target.room, target.name, before);
}

Result<Done> show_part(MainWindow& window, Arguments const& arguments) {
    ORRERY_TRY(RoomParameter const target, room_parameter(window, arguments, "part"));
    bool const show = arguments.size() < 2 || arguments[1] != "hide";
    target.room->set_part_visible(target.name, show);
    return Done{[&window, slug = target.room->slug(), name = target.name, show] {
                    if (Room* room = window.rooms().room(slug)) room->set_part_visible(name, !show);
                },
                (show ? "Show " : "Hide ") + target.name};
}

// Sets all values of a room at once; what is not named goes back to its default.
Done fill(MainWindow& window, Room& room, std::string const& verb, Json const& values, std::string undo_text) {
    Json const before = room.state();
    Json after = before;
    if (!verb.empty()) after["verb"] = verb;
    after["values"] = values;
    room.restore(after);
    return {[&window, slug = room.slug(), before] {
                if (Room* again = window.rooms().room(slug)) again->restore(before);
            },
            std::move(undo_text)};
}

Result<Done> use_sample(MainWindow& window, Arguments const& arguments) {
    if (arguments.size() != 2) return bad_input("sample needs a room and a sample's name");
    Room* room = window.rooms().room(arguments[0]);
    if (room == nullptr) return no_room(window, arguments[0]);
    for (Sample const& sample : room->panel().samples) {
        if (sample.name != arguments[1]) continue;
        Json values = sample.parameters;
        for (auto const& [parameter, path] : sample.files) {
            std::filesystem::path const place =
                std::filesystem::path(path).is_absolute() ? std::filesystem::path(path) : cache_directory() / path;
            values[parameter] = place.string();
            window.session().add_dataset(place.string(), room->slug());
        }
        window.rooms().show_room(room->slug());
        return fill(window, *room, sample.verb, values, "Sample " + sample.title);
    }
    std::vector<std::string> names;
    for (Sample const& sample : room->panel().samples) names.push_back(sample.name);
    return bad_input("\"" + room->panel().schema->title + "\" has no sample \"" + arguments[1] + "\"", {},
                     did_you_mean(arguments[1], names));
}

Result<Done> fill_from_text(MainWindow& window, Arguments const& arguments) {
    if (arguments.size() != 3) return bad_input("fill needs a room, a verb and values as JSON");
    Room* room = window.rooms().room(arguments[0]);
    if (room == nullptr) return no_room(window, arguments[0]);
    Json values = Json::parse(arguments[2], nullptr, false);
    if (!values.is_object()) return bad_input("the values of fill are not a JSON object");
    for (auto value = values.begin(); value != values.end();) {
        if (room->parameter(value.key()) == nullptr)
            value = values.erase(value);
        else
            ++value;
    }
    return fill(window, *room, arguments[1], values, "Fill the form");
}

Result<Done> set_verb(MainWindow& window, Arguments const& arguments) {
    if (arguments.size() != 2) return bad_input("verb needs a room and a verb");
    Room* room = window.rooms().room(arguments[0]);
    if (room == nullptr) return no_room(window, arguments[0]);
    VerbSchema const* verb = room->panel().schema->verb(arguments[1]);
    if (verb == nullptr) return bad_input("\"" + room->panel().schema->title + "\" can't \"" + arguments[1] + "\"");
    std::string const before = room->verb();
    room->set_verb(arguments[1]);
    return Done{[&window, slug = room->slug(), before] {
                    if (Room* again = window.rooms().room(slug)) again->set_verb(before);
                },
                "Switch to " + verb->label};
}

}  // namespace

void add_room_commands(MainWindow& window) {
    CommandBus& bus = window.commands();
    bus.add({"room", "room <room>", "Go to a room, or to the start page", ""},
            [&window](Arguments const& arguments) -> Result<Done> {
                std::string const slug = arguments.empty() || arguments[0] == "start" ? std::string() : arguments[0];
                if (!window.rooms().show_room(slug)) return no_room(window, slug);
                return Done{};
            });
    bus.add({"set", "set <room>.<parameter> <value>", "Set a value", ""},
            [&window](Arguments const& arguments) { return set_value(window, arguments); });
    bus.add({"reset", "reset <room>.<parameter>", "Set a value back to its default", ""},
            [&window](Arguments const& arguments) -> Result<Done> {
                if (arguments.size() != 1) return bad_input("reset needs <room>.<parameter>");
                return set_value(window, arguments);
            });
    bus.add({"verb", "verb <room> <verb>", "Choose what a room does", ""},
            [&window](Arguments const& arguments) { return set_verb(window, arguments); });
    bus.add({"sample", "sample <room> <sample>", "Open a sample", ""},
            [&window](Arguments const& arguments) { return use_sample(window, arguments); });
    bus.add({"fill", "fill <room> <verb> <values as JSON>", "Set all values of a room", "", false},
            [&window](Arguments const& arguments) { return fill_from_text(window, arguments); });
    bus.add({"part", "part <room>.form|results show|hide", "Show or hide a part of a room", ""},
            [&window](Arguments const& arguments) { return show_part(window, arguments); });
    bus.add({"help", "help [room]", "Help on a room", "F1"}, [&window](Arguments const& arguments) -> Result<Done> {
        ORRERY_TRY(Room* const room, named_room(window, arguments));
        show_help(room->panel(), &window);
        return Done{};
    });
    bus.add({"cite", "cite [room]", "Citation of a room's paper", ""},
            [&window](Arguments const& arguments) -> Result<Done> {
                ORRERY_TRY(Room* const room, named_room(window, arguments));
                show_citation(room->panel(), &window);
                return Done{};
            });
}

}  // namespace orrery
