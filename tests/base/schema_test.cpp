#include "core/base/schema.h"
#include "core/base/error_json.h"
#include "core/base/files.h"
#include "core/base/make_job.h"
#include "core/base/nearest.h"
#include "tests/catch.h"
#include "tests/fixtures.h"

using namespace orrery;

namespace {

Parameter parameter(char const* name, ParameterType type, Json default_value = nullptr) {
    Parameter result;
    result.name = name;
    result.label = name;
    result.type = type;
    result.default_value = std::move(default_value);
    return result;
}

VerbSchema scan_verb() {
    VerbSchema verb;
    verb.name = "scan";
    verb.label = "Scan";
    Parameter structure = parameter("structure", ParameterType::file);
    structure.required = true;
    structure.help = "The complex, PDB or mmCIF.";
    Parameter draws = parameter("draws", ParameterType::integer, 20);
    draws.minimum = 1;
    draws.maximum = 1000;
    Parameter noise = parameter("noise", ParameterType::real, 0.1);
    noise.minimum = 0;
    noise.unit = "Å";
    Parameter sign = parameter("sign", ParameterType::choice, "weaker-positive");
    sign.choices = {{"weaker-positive", "weaker is positive"}, {"tighter-positive", "tighter is positive"}};
    verb.parameters = {structure,
                       draws,
                       noise,
                       sign,
                       parameter("official", ParameterType::boolean, false),
                       parameter("sides", ParameterType::text),
                       parameter("mutations", ParameterType::text_list),
                       parameter("tables", ParameterType::file_list),
                       parameter("folder", ParameterType::directory)};
    return verb;
}

Json checked(Json const& given) {
    Result<Json> const result = validate(scan_verb(), given, false);
    if (!result) return to_json(result.error());
    return *result;
}

Error refused(Json const& given, bool check_files = false) {
    Result<Json> const result = validate(scan_verb(), given, check_files);
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().kind == ErrorKind::bad_input);
    return result.error();
}

}  // namespace

TEST_CASE("Defaults are filled and texts are turned into what the type asks for") {
    Json const value = checked({{"structure", "a.pdb"}, {"draws", "40"}, {"official", "yes"}, {"mutations", "EA63Q"}});
    CHECK(value == Json{{"structure", "a.pdb"},
                        {"draws", 40},
                        {"noise", 0.1},
                        {"sign", "weaker-positive"},
                        {"official", true},
                        {"mutations", {"EA63Q"}}});
    CHECK(value["draws"].is_number_integer());
    CHECK_FALSE(value.contains("sides"));  // neither given nor with a default
}

TEST_CASE("Whole numbers may come as reals, numbers as texts, texts as numbers") {
    CHECK(checked({{"structure", "a"}, {"draws", 40.0}})["draws"] == 40);
    CHECK(checked({{"structure", "a"}, {"noise", 1}})["noise"].is_number_float());
    CHECK(checked({{"structure", "a"}, {"noise", "0"}})["noise"] == 0.0);
    CHECK(checked({{"structure", 1}})["structure"] == "1");
    CHECK(checked({{"structure", "a"}, {"draws", nullptr}, {"sides", ""}})["draws"] == 20);  // null: not given
}

TEST_CASE("An unknown name is refused with the nearest") {
    Error const error = refused({{"structure", "a"}, {"drwas", 3}});
    CHECK(error.field == "drwas");
    CHECK(error.message() == "scan has no parameter \"drwas\". Did you mean \"draws\"?");
    CHECK(refused({{"zzzzzz", 3}}).remedy.find("Its parameters are structure, draws") == 0);
}

TEST_CASE("A value out of range names the range with its unit") {
    Error const below = refused({{"structure", "a"}, {"draws", 0}});
    CHECK(below.field == "draws");
    CHECK(below.message() == "draws is 0, but must be 1 to 1000");
    CHECK(refused({{"structure", "a"}, {"draws", 1001}}).what == "draws is 1001, but must be 1 to 1000");
    CHECK(refused({{"structure", "a"}, {"noise", -0.5}}).what == "noise is -0.5, but must be at least 0 Å");
}

TEST_CASE("A value of a wrong type says what the type is") {
    CHECK(refused({{"structure", "a"}, {"draws", "many"}}).what == "draws is \"many\", but must be a whole number");
    CHECK(refused({{"structure", "a"}, {"draws", 2.5}}).what == "draws is \"2.5\", but must be a whole number");
    CHECK(refused({{"structure", "a"}, {"noise", "nan"}}).what == "noise is \"nan\", but must be a number");
    CHECK(refused({{"structure", "a"}, {"noise", "1e999"}}).field == "noise");
    CHECK(refused({{"structure", "a"}, {"official", 7}}).what == "official is \"7\", but must be true or false");
    CHECK(refused({{"structure", Json::array({1})}}).field == "structure");
    CHECK(refused({{"structure", "a"}, {"mutations", {{"a", 1}}}}).field == "mutations");
    CHECK(refused({{"structure", "a"}, {"draws", std::uint64_t{1} << 63}}).field == "draws");
    CHECK_FALSE(validate(scan_verb(), Json::array(), false).ok());
}

TEST_CASE("A choice that is none names all and the nearest") {
    Error const error = refused({{"structure", "a"}, {"sign", "weaker_positive"}});
    CHECK(error.what == "sign is \"weaker_positive\", but must be weaker-positive or tighter-positive");
    CHECK(error.remedy.find("weaker-positive") != std::string::npos);
}

TEST_CASE("What is required and absent is named") {
    Error const error = refused(Json::object());
    CHECK(error.field == "structure");
    CHECK(error.message() == "structure is missing. The complex, PDB or mmCIF.");
    CHECK(refused({{"structure", ""}}).field == "structure");
}

TEST_CASE("Files that are named must be there") {
    auto const folder = tests::scratch_directory("schema");
    REQUIRE(write_file(folder / "1AO7.pdb", "END\n").ok());
    Error const error = refused({{"structure", (folder / "1A07.pdb").string()}}, true);
    CHECK(error.field == "structure");
    CHECK(error.what == "file 1A07.pdb is not there");
    CHECK(error.remedy == "Did you mean \"1AO7.pdb\"?");
    CHECK(refused({{"structure", folder.string()}}, true).what.find("is a folder, not a file") != std::string::npos);
    std::string const there = (folder / "1AO7.pdb").string();
    CHECK(refused({{"structure", there}, {"folder", there}}, true).what == "1AO7.pdb is a file, not a folder");
    CHECK(refused({{"structure", there}, {"tables", {there, there + "x"}}}, true).field == "tables");
    CHECK(validate(scan_verb(), {{"structure", there}, {"tables", {there}}, {"folder", folder.string()}}).ok());
}

TEST_CASE("Every method can verify") {
    MethodSchema method;
    method.slug = "some";
    method.verbs = {scan_verb()};
    REQUIRE(method.verb("verify") != nullptr);
    CHECK(method.verb("verify")->label == "Verify");
    CHECK(method.verb("verify")->positional_files);
    CHECK(method.verb("nothing") == nullptr);
    Result<Json> const none = validate(verify_verb(), Json::object());
    REQUIRE_FALSE(none.ok());
    CHECK(none.error().field == "files");
}

TEST_CASE("A job is made from what was given") {
    auto const folder = tests::scratch_directory("make-job");
    auto const file = folder / "1AO7.pdb";
    REQUIRE(write_file(file, "END\n").ok());
    MethodSchema method;
    method.slug = "some";
    method.version = "3";
    method.verbs = {scan_verb()};
    Result<JobSpec> const job = make_job(method, "scan", {{"structure", file.string()}});
    REQUIRE(job.ok());
    CHECK(job->title == "Scan: 1AO7.pdb");
    CHECK(job->method_version == "3");
    CHECK(job->parameters["draws"] == 20);
    CHECK(job->inputs.size() == 1);

    // The same bytes elsewhere give the same key; other bytes, parameters or versions give another.
    auto const copy = folder / "copy.pdb";
    REQUIRE(write_file(copy, "END\n").ok());
    CHECK(make_job(method, "scan", {{"structure", copy.string()}})->key() == job->key());
    CHECK(make_job(method, "scan", {{"structure", file.string()}, {"draws", 21}})->key() != job->key());
    REQUIRE(write_file(copy, "ENDMDL\n").ok());
    CHECK(make_job(method, "scan", {{"structure", copy.string()}})->key() != job->key());
    method.version = "4";
    CHECK(make_job(method, "scan", {{"structure", file.string()}})->key() != job->key());

    Result<JobSpec> const unknown = make_job(method, "scna", Json::object());
    REQUIRE_FALSE(unknown.ok());
    CHECK(unknown.error().message() == "some has no verb \"scna\". Did you mean \"scan\"?");
}

TEST_CASE("Nearest names") {
    std::vector<std::string> const names = {"stab-ddg", "spd-gaussian", "demoface", "draws"};
    CHECK(nearest_names("stabddg", names) == std::vector<std::string>{"stab-ddg"});
    CHECK(nearest_names("STAB_DDG", names) == std::vector<std::string>{"stab-ddg"});
    CHECK(nearest_names("spd", names) == std::vector<std::string>{"spd-gaussian"});  // the beginning of a name
    CHECK(nearest_names("darws", names) == std::vector<std::string>{"draws"});       // a swap is one edit
    CHECK(nearest_names("completely-else", names).empty());
    CHECK(nearest_names("", names).empty());
    CHECK(nearest_names(std::string(100000, 'a'), names).empty());
}

TEST_CASE("Errors survive JSON") {
    Error const error = bad_input("what", "where", "remedy", "field").caused_by("deeper");
    Error const back = error_from_json(to_json(error));
    CHECK(back.message() == "what (where). remedy");
    CHECK(back.field == "field");
    CHECK(back.kind == ErrorKind::bad_input);
    CHECK(back.chain == std::vector<std::string>{"deeper"});
    CHECK(error_from_json(Json("text")).kind == ErrorKind::internal);
    CHECK(exit_code(ErrorKind::bad_input) == 2);
    CHECK(exit_code(ErrorKind::unavailable) == 2);
    CHECK(exit_code(ErrorKind::check_failed) == 1);
    CHECK(exit_code(ErrorKind::internal) == 1);
    CHECK(exit_code(ErrorKind::cancelled) == 130);
}
