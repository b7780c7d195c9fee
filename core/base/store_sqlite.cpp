#include "core/base/store_sqlite.h"

namespace orrery::sqlite {

namespace {

std::string dumped(Json const& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

// "file:" addresses take options; these characters would end the path in one.
std::string address(std::filesystem::path const& path) {
    std::string text = "file:";
    for (char const c : std::filesystem::absolute(path).string()) {
        if (c == '%')
            text += "%25";
        else if (c == '?')
            text += "%3f";
        else if (c == '#')
            text += "%23";
        else
            text += c;
    }
    return text;
}

}  // namespace

Result<Database> Database::open(std::filesystem::path const& path, Mode mode) {
    int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI;
    if (mode == Mode::read_write)
        flags |= SQLITE_OPEN_READWRITE;
    else if (mode == Mode::create)
        flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    else
        flags |= SQLITE_OPEN_READONLY;
    std::string target = address(path);
    if (mode == Mode::immutable) target += "?immutable=1";
    Database database;
    database.m_path = path;
    sqlite3* handle = nullptr;
    int const code = sqlite3_open_v2(target.c_str(), &handle, flags, nullptr);
    database.m_handle.reset(handle);
    if (code != SQLITE_OK) return database.error("open");
    sqlite3_extended_result_codes(handle, 1);
    sqlite3_busy_timeout(handle, 2000);
    return database;
}

Error Database::error(std::string_view doing) const {
    int const code = this->code();
    std::string const what = "the session cannot " + std::string(doing);
    std::string const cause = m_handle ? sqlite3_errmsg(m_handle.get()) : "out of memory";
    Error error;
    switch (code & 0xff) {
        case SQLITE_FULL:
            error =
                unavailable(what + ": the disk is full", m_path.string(), "Free some space; nothing is lost so far");
            break;
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
            error = unavailable(what + ": another program holds it", m_path.string(),
                                "Close the program that has the file open");
            break;
        case SQLITE_READONLY:
        case SQLITE_PERM:
        case SQLITE_CANTOPEN:
            error = unavailable(what + ": the file or its folder may not be written", m_path.string(),
                                "Copy the session to a folder you can write to");
            break;
        case SQLITE_NOTADB:
            error = bad_input("the file is not an Orrery session", m_path.string());
            break;
        case SQLITE_CORRUPT:
            error = bad_input("the session is damaged", m_path.string());
            break;
        case SQLITE_IOERR:
            error = unavailable(what + ": the disk reports an error", m_path.string());
            break;
        default:
            error = internal_error(what, m_path.string());
            break;
    }
    return std::move(error).caused_by("SQLite " + std::to_string(code) + ": " + cause);
}

int Database::code() const { return m_handle ? sqlite3_extended_errcode(m_handle.get()) : SQLITE_NOMEM; }

Result<void> Database::execute(char const* sql) const {
    if (sqlite3_exec(m_handle.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK)
        return error("be changed").caused_by(sql);
    return {};
}

Result<std::int64_t> Database::number(char const* sql) const {
    Statement statement(*this, sql);
    std::int64_t const value = statement.step() ? statement.integer(0) : 0;
    ORRERY_CHECK(statement.status());
    return value;
}

Result<std::string> Database::text(char const* sql) const {
    Statement statement(*this, sql);
    std::string value = statement.step() ? statement.text(0) : std::string();
    ORRERY_CHECK(statement.status());
    return value;
}

Statement::Statement(Database const& database, char const* sql) : m_database(&database) {
    sqlite3_stmt* handle = nullptr;
    int const code = sqlite3_prepare_v2(database.handle(), sql, -1, &handle, nullptr);
    m_handle.reset(handle);
    note(code);
    if (m_error) m_error->chain.emplace_back(sql);
}

void Statement::note(int code) {
    if (code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE || m_error) return;
    m_error = m_database->error(m_handle && sqlite3_stmt_readonly(m_handle.get()) == 0 ? "be written" : "be read");
}

Statement& Statement::bind(std::string_view text) {
    if (!m_error)
        note(sqlite3_bind_text64(m_handle.get(), m_next++, text.data() == nullptr ? "" : text.data(), text.size(),
                                 SQLITE_TRANSIENT, SQLITE_UTF8));
    return *this;
}

Statement& Statement::bind(double value) {
    if (!m_error) note(sqlite3_bind_double(m_handle.get(), m_next++, value));
    return *this;
}

Statement& Statement::bind(std::int64_t value) {
    if (!m_error) note(sqlite3_bind_int64(m_handle.get(), m_next++, value));
    return *this;
}

Statement& Statement::bind_json(Json const& value) { return bind(std::string_view(dumped(value))); }

Statement& Statement::bind_blob(std::string_view bytes) {
    if (!m_error)
        note(sqlite3_bind_blob64(m_handle.get(), m_next++, bytes.data() == nullptr ? "" : bytes.data(), bytes.size(),
                                 SQLITE_TRANSIENT));
    return *this;
}

Statement& Statement::bind_null() {
    if (!m_error) note(sqlite3_bind_null(m_handle.get(), m_next++));
    return *this;
}

bool Statement::step() {
    if (m_error) return false;
    int const code = sqlite3_step(m_handle.get());
    note(code);
    return code == SQLITE_ROW;
}

Result<void> Statement::run() {
    while (step()) {
    }
    Result<void> result = status();
    reset();
    return result;
}

Result<void> Statement::status() const {
    if (m_error) return *m_error;
    return {};
}

void Statement::reset() {
    if (m_handle) sqlite3_reset(m_handle.get());
    if (m_handle) sqlite3_clear_bindings(m_handle.get());
    m_next = 1;
    m_error.reset();
}

std::string Statement::text(int column) const {
    auto const* characters = reinterpret_cast<char const*>(sqlite3_column_text(m_handle.get(), column));
    if (characters == nullptr) return {};
    return {characters, static_cast<std::size_t>(sqlite3_column_bytes(m_handle.get(), column))};
}

std::string_view Statement::blob(int column) const {
    auto const* bytes = static_cast<char const*>(sqlite3_column_blob(m_handle.get(), column));
    if (bytes == nullptr) return {};
    return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(m_handle.get(), column))};
}

Json Statement::json(int column, Json otherwise) const {
    if (is_null(column)) return otherwise;
    Json value = Json::parse(text(column), nullptr, false);
    return value.is_discarded() ? otherwise : value;
}

}  // namespace orrery::sqlite
