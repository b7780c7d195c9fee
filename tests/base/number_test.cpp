#include "core/base/number.h"
#include "tests/catch.h"

#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

using namespace orrery;

TEST_CASE("A number's text is the shortest that reads back") {
    CHECK(number_text(0) == "0");
    CHECK(number_text(-0.0) == "-0");
    CHECK(number_text(0.1) == "0.1");
    CHECK(number_text(static_cast<double>(0.1f)) == "0.1");  // a float32 keeps the float32's text
    CHECK(number_text(1.0 / 3) == "0.3333333333333333");
    CHECK(number_text(static_cast<double>(1.0f / 3)) == "0.33333334");
    CHECK(number_text(123456792.0) == "123456792");  // whole numbers stay exact, also those that a float32 holds
    CHECK(number_text(100000) == "100000");
    CHECK(number_text(-1e15) == "-1000000000000000");
    CHECK(number_text(1e300) == "1e+300");
    CHECK(number_text(std::numeric_limits<double>::denorm_min()) == "5e-324");
    CHECK(number_text(std::nan("")) == "nan");
    CHECK(number_text(-std::numeric_limits<double>::infinity()) == "-inf");
}

TEST_CASE("Any double and any float32 survives its text") {
    std::mt19937_64 random(7);
    for (int i = 0; i < 20000; ++i) {
        std::uint64_t const bits = random();
        double value = 0;
        std::memcpy(&value, &bits, sizeof value);
        if (!std::isfinite(value)) continue;
        std::optional<double> const read = parse_real(number_text(value));
        REQUIRE(read);
        CHECK(*read == value);

        auto const narrow_bits = static_cast<std::uint32_t>(random());
        float narrow = 0;
        std::memcpy(&narrow, &narrow_bits, sizeof narrow);
        if (!std::isfinite(narrow)) continue;
        std::string const text = number_text(static_cast<double>(narrow));
        float back = 0;
        std::from_chars(text.data(), text.data() + text.size(), back);
        CHECK(back == narrow);
    }
}

TEST_CASE("Numbers are read whole or not at all") {
    CHECK(parse_real(" +1.5e3 ") == 1500.0);
    CHECK(parse_real("-.5") == -0.5);
    for (char const* text : {"", " ", "1,5", "1.5x", "0x10", "+-3", "--3", "1 2", "+"}) {
        INFO(text);
        CHECK_FALSE(parse_real(text));
        CHECK_FALSE(parse_integer(text));
    }
    CHECK(parse_integer("20") == 20);
    CHECK(parse_integer("+20") == 20);
    CHECK(parse_integer("20.0") == 20);
    CHECK(parse_integer("2e3") == 2000);
    CHECK(parse_integer("-9223372036854775808") == std::numeric_limits<std::int64_t>::min());
    CHECK_FALSE(parse_integer("9223372036854775808"));  // one more than fits
    CHECK_FALSE(parse_integer("20.5"));
    CHECK_FALSE(parse_integer("1e300"));
    CHECK_FALSE(parse_integer("nan"));
}

TEST_CASE("JSON keeps what it has no numbers for") {
    double const infinity = std::numeric_limits<double>::infinity();
    CHECK(json_real(2.5) == Json(2.5));
    CHECK(json_real(std::nan("")).is_null());
    CHECK(real_from(json_real(infinity)) == infinity);
    CHECK(real_from(json_real(-infinity)) == -infinity);
    CHECK(std::isnan(*real_from(Json())));
    CHECK_FALSE(real_from(Json("2.5")));
    CHECK_FALSE(real_from(Json::array()));
}
