// What a journey (and a test) may expect, as paths:
//   room                         slug in front, "" on the start page
//   room.state|verb|run|note     of the room in front; room.values.<parameter>; anything else: Room::inspect
//   rooms.<slug>.<the same>
//   jobs.count|busy, jobs.last.id|state|fraction|verb|title|error|artifacts|warnings|seconds
//   jobs.last.values.<name>, jobs.last.verdict, jobs.<id>.<the same>
//   selection.<kind>             keys, sorted, joined by commas; hover.<kind>
//   widget.<objectName>.text|visible|enabled|checked|width|height
//   session.name|path|ready|datasets, theme, scale, layout.<dock> (true: shown), undo, redo, log.last, log.count
//   message                      the strip above the rooms
//   memory.mb, maps.<text>       is a library with this text in its path loaded? (true, false)
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"

#include <string>

namespace orrery {

class MainWindow;

Result<Json> read_state(MainWindow& window, std::string const& path);
// Error: what the value is instead.
Result<void> expect_state(MainWindow& window, std::string const& path, std::string const& op, std::string const& value);

}  // namespace orrery
