#include <QDir>
#include <QFileInfo>
#include <QPixmap>

#include "app/about_dialog.h"
#include "app/commands/commands.h"
#include "app/docks.h"
#include "app/main_window.h"
#include "app/menus.h"
#include "app/settings_dialog.h"
#include "panels/common/background.h"
#include "panels/common/text.h"
#include "renderers/theme.h"

namespace orrery {

namespace {

using Arguments = std::vector<std::string>;

Result<Done> set_theme(MainWindow& window, Arguments const& arguments) {
    if (arguments.size() != 1 || (arguments[0] != "light" && arguments[0] != "dark"))
        return bad_input("theme is light or dark", {}, "for example: theme dark");
    QString const before = window.settings().theme();
    auto const apply = [&window](QString const& name) {
        window.settings().set_theme(name);
        window.apply_theme(name, window.settings().text_scale());
    };
    apply(qt(arguments[0]));
    if (before == qt(arguments[0])) return Done{};
    return Done{[apply, before] { apply(before); }, "Theme " + arguments[0]};
}

Result<Done> set_scale(MainWindow& window, Arguments const& arguments) {
    double const before = window.settings().text_scale();
    double scale = 0;
    if (arguments.size() == 1 && arguments[0] == "larger")
        scale = before + 0.1;
    else if (arguments.size() == 1 && arguments[0] == "smaller")
        scale = before - 0.1;
    else if (arguments.size() == 1)
        scale = qt(arguments[0]).toDouble();
    if (scale < 0.75 || scale > 2.05)
        return bad_input("text scale is 0.8 to 2, larger or smaller", {}, "for example: scale 1.2");
    auto const apply = [&window](double value) {
        window.settings().set_text_scale(value);
        window.apply_theme(window.settings().theme(), window.settings().text_scale());
    };
    apply(scale);
    return Done{[apply, before] { apply(before); }, "Text scale"};
}

Result<Done> show_dock(MainWindow& window, Arguments const& arguments, char const* command) {
    QString const name = arguments.empty() ? QString() : qt(arguments[0]);
    if (!window.docks().names().contains(name))
        return bad_input("there is no dock \"" + name.toStdString() + "\"", {},
                         "Docks: " + window.docks().names().join(QStringLiteral(", ")).toStdString());
    bool const before = window.docks().visible(name);
    bool const show = std::string_view(command) == "toggle" ? !before : std::string_view(command) == "show";
    window.docks().set_visible(name, show);
    return Done{};
}

Result<Done> apply_layout(MainWindow& window, Arguments const& arguments) {
    QString name = arguments.empty() ? QString() : qt(arguments[0]);
    for (QString const& known : window.docks().layouts())
        if (known.compare(name, Qt::CaseInsensitive) == 0) name = known;
    QByteArray const before = window.docks().state();
    if (!window.docks().apply(name))
        return bad_input("there is no layout \"" + name.toStdString() + "\"", {},
                         "Layouts: " + window.docks().layouts().join(QStringLiteral(", ")).toStdString());
    return Done{[&window, before] { window.docks().restore(before); }, "Layout " + name.toStdString()};
}

Result<Done> save_layout(MainWindow& window, Arguments const& arguments) {
    if (arguments.size() != 1 || arguments[0].empty())
        return bad_input("save-layout needs a name", {}, "for example: save-layout \"two monitors\"");
    QString const name = qt(arguments[0]);
    if (window.docks().is_standard_layout(name))
        return bad_input("\"" + arguments[0] + "\" is a layout of Orrery's own", {}, "choose another name");
    bool const known = window.settings().layouts().contains(name);
    Settings::Layout const before = window.settings().layout(name);
    window.docks().save(name);
    return Done{[&window, name, known, before] {
                    if (known)
                        window.settings().set_layout(name, before);
                    else
                        window.settings().remove_layout(name);
                },
                "Save layout " + arguments[0]};
}

// The window as it is seen; written on another thread.
Result<Done> take_screenshot(MainWindow& window, Arguments const& arguments) {
    if (arguments.size() != 1) return bad_input("screenshot needs a name or a file");
    QString path = qt(arguments[0]);
    if (!path.endsWith(QLatin1String(".png"))) path += QStringLiteral(".png");
    if (QFileInfo(path).isRelative()) path = QDir(window.screenshots_folder()).absoluteFilePath(path);
    QImage const image = window.grab().toImage();
    in_background(
        &window,
        [image, path] {
            QDir().mkpath(QFileInfo(path).absolutePath());
            return image.save(path);
        },
        [&window, path](bool written) {
            if (!written)
                window.report(bad_input("the screenshot could not be written", path.toStdString(),
                                        "is the folder there and writable?"));
            else
                window.tell(QStringLiteral("Screenshot %1").arg(path));
        });
    return Done{};
}

Result<Done> set_shortcut(MainWindow& window, Arguments const& arguments) {
    if (arguments.size() != 2)
        return bad_input("shortcut needs a command and keys", {}, "for example: shortcut \"theme dark\" Ctrl+T");
    QString const command = qt(arguments[0]);
    if (window.menus().action(command) == nullptr) return bad_input("\"" + arguments[0] + "\" is not in a menu");
    QKeySequence const keys(qt(arguments[1]), QKeySequence::PortableText);
    QKeySequence const standard = window.menus().standard_keys(command);
    QKeySequence const before = window.settings().shortcut(command, standard);
    window.settings().set_shortcut(command, keys, standard);
    return Done{[&window, command, before, standard] { window.settings().set_shortcut(command, before, standard); },
                "Shortcut"};
}

}  // namespace

void add_view_commands(MainWindow& window) {
    CommandBus& bus = window.commands();
    bus.add({"theme", "theme light|dark", "Light or dark theme", ""},
            [&window](Arguments const& arguments) { return set_theme(window, arguments); });
    bus.add({"scale", "scale <factor>|larger|smaller", "Size of all text", ""},
            [&window](Arguments const& arguments) { return set_scale(window, arguments); });
    for (char const* name : {"show", "hide", "toggle"})
        bus.add({name, std::string(name) + " <dock>",
                 std::string(name == std::string_view("show")   ? "Show"
                             : name == std::string_view("hide") ? "Hide"
                                                                : "Show or hide") +
                     " a dock: rooms, inspector, jobs, runs, data, log",
                 ""},
                [&window, name](Arguments const& arguments) { return show_dock(window, arguments, name); });
    bus.add({"layout", "layout <name>", "Arrange the docks", ""},
            [&window](Arguments const& arguments) { return apply_layout(window, arguments); });
    bus.add({"save-layout", "save-layout <name>", "Keep the present arrangement of docks", ""},
            [&window](Arguments const& arguments) { return save_layout(window, arguments); });
    bus.add({"delete-layout", "delete-layout <name>", "Delete a layout of your own", ""},
            [&window](Arguments const& arguments) -> Result<Done> {
                QString const name = arguments.empty() ? QString() : qt(arguments[0]);
                if (!window.settings().layouts().contains(name))
                    return bad_input("there is no layout of your own called \"" + name.toStdString() + "\"");
                Settings::Layout const before = window.settings().layout(name);
                window.settings().remove_layout(name);
                return Done{[&window, name, before] { window.settings().set_layout(name, before); },
                            "Delete layout " + name.toStdString()};
            });
    bus.add({"full-screen", "full-screen on|off", "Fill the screen", "F11"},
            [&window](Arguments const& arguments) -> Result<Done> {
                if (!arguments.empty() && arguments[0] == "off")
                    window.showNormal();
                else
                    window.showFullScreen();
                return Done{};
            });
    bus.add({"screenshot", "screenshot <name>", "Picture of the window", ""},
            [&window](Arguments const& arguments) { return take_screenshot(window, arguments); });
    bus.add({"size", "size <width> <height>", "Size of the window in pixels", "", false},
            [&window](Arguments const& arguments) -> Result<Done> {
                int const width = arguments.size() == 2 ? qt(arguments[0]).toInt() : 0,
                          height = arguments.size() == 2 ? qt(arguments[1]).toInt() : 0;
                if (width < 320 || height < 240 || width > 16384 || height > 16384)
                    return bad_input("size needs a width and a height in pixels", {}, "for example: size 1400 900");
                window.resize(width, height);
                return Done{};
            });
    bus.add({"palette", "palette [text]", "Search everything", "Ctrl+K", false},
            [&window](Arguments const& arguments) -> Result<Done> {
                window.open_palette(arguments.empty() ? QString() : qt(arguments[0]));
                return Done{};
            });
    bus.add({"settings", "settings", "Settings", "Ctrl+,"}, [&window](Arguments const&) -> Result<Done> {
        show_settings(window);
        return Done{};
    });
    bus.add({"threads", "threads <number>", "Processor threads of a job; 0: all", ""},
            [&window](Arguments const& arguments) -> Result<Done> {
                bool number = false;
                int const threads = arguments.size() == 1 ? qt(arguments[0]).toInt(&number) : -1;
                if (!number || threads < 0 || threads > 1024)
                    return bad_input("threads needs a whole number of 0 to 1024", {}, "0: all cores");
                int const before = window.settings().threads();
                window.settings().set_threads(threads);
                return Done{[&window, before] { window.settings().set_threads(before); }, "Threads"};
            });
    bus.add({"animations", "animations on|off", "Moving cameras and other motion", ""},
            [&window](Arguments const& arguments) -> Result<Done> {
                bool const before = window.settings().animations();
                window.settings().set_animations(arguments.empty() || arguments[0] != "off");
                return Done{[&window, before] { window.settings().set_animations(before); }, "Animations"};
            });
    bus.add({"shortcut", "shortcut <command> <keys>", "Keys of a menu entry", ""},
            [&window](Arguments const& arguments) { return set_shortcut(window, arguments); });
    bus.add({"about", "about", "About Orrery: versions, licences, graphics", ""},
            [&window](Arguments const&) -> Result<Done> {
                show_about(window);
                return Done{};
            });
}

void add_commands(MainWindow& window) {
    add_file_commands(window);
    add_room_commands(window);
    add_job_commands(window);
    add_view_commands(window);
    add_export_commands(window);
    add_selection_commands(window);
}

}  // namespace orrery
