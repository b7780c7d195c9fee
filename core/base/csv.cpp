#include "core/base/table.h"

#include <algorithm>

namespace orrery {

namespace {

std::string at_line(std::string const& file_name, int line) { return file_name + " line " + std::to_string(line); }

// Length of the UTF-8 sequence at `text[at]`, or 0 where there is none (overlong and surrogate forms are none).
std::size_t utf8_length(std::string_view text, std::size_t at) {
    auto const byte = [&](std::size_t i) {
        return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0u;
    };
    auto const follows = [&](std::size_t i) { return (byte(i) & 0xC0u) == 0x80u; };
    unsigned const first = byte(0), second = byte(1);
    if (first < 0x80) return 1;
    if (first >= 0xC2 && first <= 0xDF) return follows(1) ? 2 : 0;
    if (first >= 0xE0 && first <= 0xEF) {
        bool const overlong = first == 0xE0 && second < 0xA0, surrogate = first == 0xED && second > 0x9F;
        return follows(1) && follows(2) && !overlong && !surrogate ? 3 : 0;
    }
    if (first >= 0xF0 && first <= 0xF4) {
        bool const overlong = first == 0xF0 && second < 0x90, beyond = first == 0xF4 && second > 0x8F;
        return follows(1) && follows(2) && follows(3) && !overlong && !beyond ? 4 : 0;
    }
    return 0;
}

Result<void> check_encoding(std::string_view bytes, std::string const& file_name) {
    bool const little = bytes.starts_with("\xFF\xFE"), big = bytes.starts_with("\xFE\xFF");
    bool const unmarked = bytes.size() >= 4 && ((bytes[1] == 0 && bytes[3] == 0) || (bytes[0] == 0 && bytes[2] == 0));
    if (little || big || unmarked)
        return bad_input("the table is UTF-16 text", file_name,
                         "Save it as CSV UTF-8 (in a spreadsheet: \"CSV UTF-8\")");
    int line = 1;
    for (std::size_t i = 0; i < bytes.size();) {
        if (bytes[i] == 0)
            return bad_input("the table holds zero bytes: it is no text", at_line(file_name, line), "Export it as CSV");
        if (bytes[i] == '\n') ++line;
        std::size_t const length = utf8_length(bytes, i);
        if (length == 0)
            return bad_input("the table is not UTF-8 text", at_line(file_name, line),
                             "Save it as CSV UTF-8; it may be Latin-1 or Windows-1252");
        i += length;
    }
    return {};
}

// Reads one record after the other. A record ends at LF, CR LF or CR outside quotes.
class RecordReader {
public:
    RecordReader(std::string_view text, std::string const& file_name, char separator, int first_line)
        : m_text(text), m_file_name(file_name), m_separator(separator), m_line(first_line) {}

    [[nodiscard]] bool at_end() const { return m_at >= m_text.size(); }
    [[nodiscard]] int line() const { return m_line; }

    // Passes over lines of blanks alone; a quoted empty field is no blank line.
    void skip_blank_lines() {
        std::string_view const blanks = m_separator == '\t' ? " " : " \t";
        for (;;) {
            std::size_t const end = m_text.find_first_not_of(blanks, m_at);
            if (end == std::string_view::npos) {
                m_at = m_text.size();
                return;
            }
            if (m_text[end] != '\n' && m_text[end] != '\r') return;
            m_at = end;
            skip_line_end();
        }
    }

    Result<std::vector<std::string>> next() {
        std::vector<std::string> fields;
        for (;;) {
            ORRERY_TRY(std::string field, next_field());
            fields.push_back(std::move(field));
            if (at_end()) return fields;
            if (m_text[m_at] == m_separator) {
                ++m_at;
                continue;
            }
            skip_line_end();
            return fields;
        }
    }

private:
    [[nodiscard]] bool ends_field(char c) const { return c == m_separator || c == '\n' || c == '\r'; }

    void skip_line_end() {
        bool const two = m_text.substr(m_at, 2) == "\r\n";
        m_at += two ? 2 : 1;
        ++m_line;
    }

    Result<std::string> next_field() {
        if (!at_end() && m_text[m_at] == '"') return quoted_field();
        std::size_t const begin = m_at;
        while (!at_end() && !ends_field(m_text[m_at])) ++m_at;
        return std::string(m_text.substr(begin, m_at - begin));
    }

    Result<std::string> quoted_field() {
        int const opened = m_line;
        std::string field;
        for (++m_at;; ++m_at) {
            if (at_end())
                return bad_input("a quote opened here is never closed", at_line(m_file_name, opened),
                                 "Close it, or write \"\" for a quote inside a quoted field");
            char const c = m_text[m_at];
            if (c == '"') {
                if (m_text.substr(m_at + 1, 1) != "\"") break;
                ++m_at;  // a doubled quote stands for one
            } else if (c == '\n' || (c == '\r' && m_text.substr(m_at + 1, 1) != "\n")) {
                ++m_line;
            }
            field += c;
        }
        ++m_at;
        if (!at_end() && !ends_field(m_text[m_at]))
            return bad_input("text follows a closing quote", at_line(m_file_name, m_line),
                             "Write \"\" for a quote inside a quoted field");
        return field;
    }

    std::string_view m_text;
    std::string const& m_file_name;
    char m_separator;
    std::size_t m_at = 0;
    int m_line;
};

// The separator that is commonest in the first line outside quotes; a comma where there is none. A tab wins a draw:
// names hold commas now and then, tabs never.
char find_separator(std::string_view text) {
    std::size_t commas = 0, semicolons = 0, tabs = 0;
    bool quoted = false;
    for (char const c : text) {
        if (c == '"') quoted = !quoted;
        if (quoted) continue;
        if (c == '\n' || c == '\r') break;
        commas += c == ',';
        semicolons += c == ';';
        tabs += c == '\t';
    }
    if (tabs > 0 && tabs >= commas && tabs >= semicolons) return '\t';
    return semicolons > commas ? ';' : ',';
}

// Cuts comment and blank lines off the front and returns how many there were.
int skip_to_header(std::string_view& text) {
    int skipped = 0;
    while (!text.empty()) {
        std::size_t const end = text.find_first_of("\r\n");
        std::string_view const line = text.substr(0, end);
        bool const comment = line.starts_with("# ") || line == "#";
        if (!comment && line.find_first_not_of(" \t") != std::string_view::npos) break;
        if (end == std::string_view::npos) {
            text = {};
        } else {
            text.remove_prefix(end + (text.substr(end, 2) == "\r\n" ? 2 : 1));
            ++skipped;
        }
    }
    return skipped;
}

Error wrong_count(std::string const& file_name, int line, std::size_t found, std::size_t expected, char separator) {
    std::string const name = separator == '\t' ? "tab" : std::string("\"") + separator + "\"";
    return bad_input("the row has " + std::to_string(found) + (found == 1 ? " field" : " fields") +
                         ", the header has " + std::to_string(expected),
                     at_line(file_name, line), "Fields are separated by " + name + "; quote a field that holds one");
}

}  // namespace

int CsvFile::column(std::string_view name) const {
    auto const found = std::find(header.begin(), header.end(), name);
    return found == header.end() ? -1 : static_cast<int>(found - header.begin());
}

Result<CsvFile> parse_csv(std::string_view bytes, std::string const& file_name, char separator) {
    if (bytes.empty()) return bad_input("the table is empty", file_name);
    ORRERY_CHECK(check_encoding(bytes, file_name));
    if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
    int const skipped = skip_to_header(bytes);
    if (bytes.empty()) return bad_input("the table is empty: it has no header line", file_name);

    CsvFile file;
    file.separator = separator != 0 ? separator : find_separator(bytes);
    // Error lines count from the file's first line, comments included.
    RecordReader reader(bytes, file_name, file.separator, skipped + 1);
    ORRERY_TRY(file.header, reader.next());
    for (reader.skip_blank_lines(); !reader.at_end(); reader.skip_blank_lines()) {
        int const line = reader.line();
        ORRERY_TRY(std::vector<std::string> fields, reader.next());
        if (fields.size() != file.header.size())
            return wrong_count(file_name, line, fields.size(), file.header.size(), file.separator);
        file.rows.push_back(std::move(fields));
        file.lines.push_back(line);
    }
    return file;
}

}  // namespace orrery
