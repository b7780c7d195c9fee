#include "app/options.h"

#include <filesystem>
#include <map>

namespace orrery {

namespace fs = std::filesystem;

char const* Options::usage() {
    return "usage: orrery [FILES] [options]\n"
           "  FILES                   structures, tables, sessions (.orrery), exported figures\n"
           "  --room SLUG             open this room\n"
           "  --session FILE          open this session; made if it is not there\n"
           "  --journey FILE          replay the commands of this file, end with 1 at the first that fails\n"
           "  --screenshots DIR       where a journey's screenshots go (default: the current folder)\n"
           "  --report-startup        print what starting took\n"
           "  --quit-after-startup    end after the first interactive frame\n"
           "  --report-stalls         print the longest time the window did not answer\n"
           "  --version, --help\n";
}

Result<Options> Options::parse(std::vector<std::string> const& arguments) {
    Options options;
    std::map<std::string, std::string*> const with_value = {{"--room", &options.room},
                                                            {"--session", &options.session},
                                                            {"--journey", &options.journey},
                                                            {"--screenshots", &options.screenshots}};
    std::map<std::string, bool*> const flags = {{"--report-startup", &options.report_startup},
                                                {"--quit-after-startup", &options.quit_after_startup},
                                                {"--report-stalls", &options.report_stalls},
                                                {"--version", &options.version},
                                                {"--help", &options.help},
                                                {"-h", &options.help}};
    bool only_files = false;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        std::string argument = arguments[i];
        if (only_files || argument.empty() || argument[0] != '-') {
            options.files.push_back(fs::absolute(argument).lexically_normal().string());
            continue;
        }
        if (argument == "--") {
            only_files = true;
            continue;
        }
        if (auto const flag = flags.find(argument); flag != flags.end()) {
            *flag->second = true;
            continue;
        }
        std::string value;
        auto const equals = argument.find('=');
        bool const attached = equals != std::string::npos;
        if (attached) {
            value = argument.substr(equals + 1);
            argument = argument.substr(0, equals);
        }
        auto const option = with_value.find(argument);
        if (option == with_value.end()) return bad_input("unknown option " + argument, {}, "see orrery --help");
        if (!attached) {
            if (i + 1 == arguments.size())
                return bad_input("option " + argument + " needs a value", {}, "see orrery --help");
            value = arguments[++i];
        }
        *option->second = argument == "--room" ? value : fs::absolute(value).lexically_normal().string();
    }
    return options;
}

}  // namespace orrery
