#include "app/recovery.h"

#include "panels/common/background.h"

namespace orrery {

namespace {

// Opening each takes a few ms; more than these are old news.
constexpr std::size_t most_looked_at = 8;

bool ended_without_closing(SessionFile const& file) {
    if (file.open || !file.problem.empty() || file.runs == 0) return false;
    auto const store = Store::open(file.path, Store::Mode::read_only);
    if (!store.ok()) return false;
    auto const clean = (*store)->item("session", "clean");
    return clean.ok() && *clean && (*clean)->value.is_boolean() && !(*clean)->value.get<bool>();
}

}  // namespace

void find_unfinished_sessions(QObject* context, std::function<void(std::vector<SessionFile>)> then) {
    in_background(
        context,
        [] {
            std::vector<SessionFile> found;
            std::size_t looked = 0;
            for (SessionFile const& file : Store::autosaves()) {
                if (++looked > most_looked_at) break;
                if (ended_without_closing(file)) found.push_back(file);
            }
            return found;
        },
        std::move(then));
}

void mark_left(std::vector<SessionFile> const& sessions) {
    background_pool().start([sessions] {
        for (SessionFile const& file : sessions)
            if (auto const store = Store::open(file.path); store.ok())
                (*store)->put_item({"session", "clean", 1, true, 0});
    });
}

}  // namespace orrery
