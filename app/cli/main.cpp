#include "app/cli/command_line.h"
#include "app/cli/environment.h"
#include "app/cli/worker.h"
#include "core/base/method.h"

int main(int argc, char** argv) {
    orrery::cli::Program program;
    program.methods = orrery::all_methods();
    program.prepare = orrery::cli::prepare_torch;
    program.worker = orrery::run_worker;
    return orrery::cli::run_command_line(argc, argv, program);
}
