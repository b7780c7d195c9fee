#include "tests/app/counting.h"

namespace orrery::tests {

namespace {

Parameter make(char const* name, char const* label, ParameterType type, Json otherwise, char const* help) {
    Parameter parameter;
    parameter.name = name;
    parameter.label = label;
    parameter.type = type;
    parameter.default_value = std::move(otherwise);
    parameter.help = help;
    return parameter;
}

VerbSchema count_verb() {
    VerbSchema verb;
    verb.name = "count";
    verb.label = "Count steps";
    verb.summary = "Counts and draws a line.";
    verb.resumable = true;
    Parameter list = make("numbers", "Numbers", ParameterType::file, nullptr, "A list of numbers.");
    list.patterns = {"*.numbers"};
    Parameter steps = make("steps", "Steps", ParameterType::integer, 10, "How many steps.");
    steps.minimum = 1;
    steps.maximum = 10000;
    steps.citation = "section 2";
    Parameter pause = make("step_ms", "Pause", ParameterType::integer, 1, "Time a step takes.");
    pause.unit = "ms";
    pause.minimum = 0;
    Parameter growth = make("growth", "Growth", ParameterType::real, 1.5, "Growth a step.");
    growth.group = "Model";
    growth.minimum = 0.1;
    growth.maximum = 10;
    Parameter shape = make("shape", "Shape", ParameterType::choice, "line", "Shape of the curve.");
    shape.choices = {{"line", "a line"}, {"curve", "a curve"}};
    shape.group = "Model";
    Parameter seed = make("seed", "Seed", ParameterType::integer, 0, "Seed of the noise.");
    seed.advanced = true;
    Parameter noisy = make("noisy", "Noise", ParameterType::boolean, false, "Add noise.");
    noisy.advanced = true;
    Parameter labels = make("labels", "Labels", ParameterType::text_list, Json::array(), "Names of the steps.");
    labels.advanced = true;
    verb.parameters = {list, steps, pause, growth, shape, seed, noisy, labels};
    verb.outputs = {{"counts.csv", "table", "The counts."}};
    return verb;
}

VerbSchema plain_verb(char const* name, char const* label, bool needs_file) {
    VerbSchema verb;
    verb.name = name;
    verb.label = label;
    verb.summary = "For the tests.";
    if (needs_file) {
        Parameter list = make("numbers", "Numbers", ParameterType::file, nullptr, "A list of numbers.");
        list.patterns = {"*.numbers"};
        list.required = true;
        verb.parameters = {list};
    }
    return verb;
}

}  // namespace

MethodSchema const& counting_schema() {
    static MethodSchema const schema = [] {
        MethodSchema method;
        method.slug = "counting";
        method.title = "Counting";
        method.group = "Test";
        method.summary = "Counts steps and draws them.";
        method.paper_title = "On the Counting of Steps with Abacuses";
        method.authors = "A. Author";
        method.venue = "TEST 2025";
        method.url = "arXiv:0000.00000";
        method.bibtex = "@article{steps, title={On the Counting of Steps with Abacuses}}";
        method.method_name = "StepNet";
        method.file_patterns = {"*.numbers"};
        method.version = "1";
        method.verbs = {count_verb(), plain_verb("fail", "Fail", true), plain_verb("warn", "Warn", false)};
        return method;
    }();
    return schema;
}

}  // namespace orrery::tests
