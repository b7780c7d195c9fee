// Errors are values. A function that can fail returns Result<T>; the Error says what happened, where, and what the
// user can do. `chain` holds the technical causes for the log, outermost first.
#pragma once

#include <cassert>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace orrery {

enum class ErrorKind {
    bad_input,     // the user's file, parameter or mutation is wrong: exit code 2
    check_failed,  // the work ran, and a check of its numbers failed: exit code 1
    unavailable,   // something needed is missing (weights, device, memory): exit code 2
    cancelled,     // the user cancelled; partial results are kept
    paused,        // the user paused; a checkpoint was written
    internal,      // a fault of Orrery: exit code 1
};

struct Error {
    ErrorKind kind = ErrorKind::bad_input;
    std::string what;    // "chain A position 63 is K, not E"
    std::string where;   // "1AO7.pdb, author numbering" or "mutations.csv line 12"
    std::string remedy;  // "E is at 61 and 65"
    std::string field;   // name of the schema parameter it concerns, empty if none
    std::vector<std::string> chain;

    // One line for people: "what (where). remedy". Parts that are empty are left out.
    [[nodiscard]] std::string message() const {
        std::string text = what;
        if (!where.empty()) text += " (" + where + ")";
        if (!remedy.empty()) text += ". " + remedy;
        return text;
    }
    Error caused_by(std::string cause) && {
        chain.push_back(std::move(cause));
        return std::move(*this);
    }
};

inline Error bad_input(std::string what, std::string where = {}, std::string remedy = {}, std::string field = {}) {
    return Error{ErrorKind::bad_input, std::move(what), std::move(where), std::move(remedy), std::move(field), {}};
}
inline Error unavailable(std::string what, std::string where = {}, std::string remedy = {}, std::string field = {}) {
    return Error{ErrorKind::unavailable, std::move(what), std::move(where), std::move(remedy), std::move(field), {}};
}
inline Error internal_error(std::string what, std::string where = {}) {
    return Error{ErrorKind::internal, std::move(what), std::move(where), {}, {}, {}};
}

template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : m_state(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : m_state(std::in_place_index<1>, std::move(error)) {}

    [[nodiscard]] bool ok() const { return m_state.index() == 0; }
    explicit operator bool() const { return ok(); }
    T& value() & { assert(ok()); return std::get<0>(m_state); }
    T const& value() const& { assert(ok()); return std::get<0>(m_state); }
    T&& value() && { assert(ok()); return std::get<0>(std::move(m_state)); }
    T& operator*() & { return value(); }
    T const& operator*() const& { return value(); }
    T* operator->() { return &value(); }
    T const* operator->() const { return &value(); }
    Error& error() & { assert(!ok()); return std::get<1>(m_state); }
    Error const& error() const& { assert(!ok()); return std::get<1>(m_state); }
    Error&& error() && { assert(!ok()); return std::get<1>(std::move(m_state)); }

private:
    std::variant<T, Error> m_state;
};

template <>
class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error) : m_error(std::move(error)) {}
    [[nodiscard]] bool ok() const { return !m_error; }
    explicit operator bool() const { return ok(); }
    Error& error() & { assert(m_error); return *m_error; }
    Error const& error() const& { assert(m_error); return *m_error; }
    Error&& error() && { assert(m_error); return *std::move(m_error); }

private:
    std::optional<Error> m_error;
};

}  // namespace orrery

// Hands an error of `expression` to the caller: ORRERY_TRY(auto file, open(path));
#define ORRERY_CONCAT_(a, b) a##b
#define ORRERY_CONCAT(a, b) ORRERY_CONCAT_(a, b)
#define ORRERY_TRY_(result, declaration, ...)              \
    auto result = (__VA_ARGS__);                           \
    if (!result.ok()) return std::move(result).error();    \
    declaration = std::move(result).value()
#define ORRERY_TRY(declaration, ...) ORRERY_TRY_(ORRERY_CONCAT(orrery_try_, __LINE__), declaration, __VA_ARGS__)
#define ORRERY_CHECK(...)                                  \
    do {                                                   \
        auto orrery_check_ = (__VA_ARGS__);                \
        if (!orrery_check_.ok()) return std::move(orrery_check_).error(); \
    } while (false)
