// The names that a pickle may call, and those that give it away as an attack.
#pragma once

#include "core/compute/pickle.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace orrery::pickle {

enum Global : std::int64_t { ordered_dict, rebuild_tensor, rebuild_parameter, torch_size, storage_type };

struct KnownGlobal {
    std::string_view name;
    Global global;
    Dtype dtype = Dtype::f32;
};

inline constexpr std::array known_globals{
    KnownGlobal{"collections.OrderedDict", ordered_dict},
    KnownGlobal{"torch._utils._rebuild_tensor_v2", rebuild_tensor},
    KnownGlobal{"torch._utils._rebuild_parameter", rebuild_parameter},
    KnownGlobal{"torch.Size", torch_size},
    KnownGlobal{"torch.DoubleStorage", storage_type, Dtype::f64},
    KnownGlobal{"torch.FloatStorage", storage_type, Dtype::f32},
    KnownGlobal{"torch.HalfStorage", storage_type, Dtype::f16},
    KnownGlobal{"torch.BFloat16Storage", storage_type, Dtype::bf16},
    KnownGlobal{"torch.LongStorage", storage_type, Dtype::i64},
    KnownGlobal{"torch.IntStorage", storage_type, Dtype::i32},
    KnownGlobal{"torch.ShortStorage", storage_type, Dtype::i16},
    KnownGlobal{"torch.CharStorage", storage_type, Dtype::i8},
    KnownGlobal{"torch.ByteStorage", storage_type, Dtype::u8},
    KnownGlobal{"torch.BoolStorage", storage_type, Dtype::boolean},
};

// Modules whose functions start programs or run code: a pickle that names them is an attack, not an odd checkpoint.
inline constexpr std::array command_modules{
    "posix",     "nt",
    "os",        "subprocess",
    "builtins",  "__builtin__",
    "pty",       "commands",
    "popen2",    "shutil",
    "sys",       "runpy",
    "importlib", "code",
    "codeop",    "ctypes",
    "socket",    "webbrowser",
    "operator",  "functools",
    "types",     "multiprocessing",
    "asyncio",   "pip",
    "pickle",    "_pickle",
    "timeit",    "bdb",
    "pdb",       "platform",
    "cProfile",  "profile",
    "trace",     "imp",
    "marshal",   "urllib",
};

[[nodiscard]] inline bool runs_command(std::string_view module) {
    std::string_view const top = module.substr(0, module.find('.'));
    return std::find(command_modules.begin(), command_modules.end(), top) != command_modules.end();
}

}  // namespace orrery::pickle
