#include "core/io/zip_archive.h"

#include <fmt/format.h>
#include <zip.h>

#include <system_error>

namespace orrery {
namespace {

constexpr std::uint64_t entry_limit = 1'000'000;
constexpr std::uint64_t free_unpacked_size = std::uint64_t{64} << 20;
constexpr std::uint64_t packing_limit = 200;

std::string shown_name(std::string const& name) {
    std::string shown;
    for (char c : name.substr(0, 100)) shown += (c >= ' ' && c < 127) ? c : '?';
    return shown;
}

}  // namespace

Result<ZipArchive> ZipArchive::open(std::filesystem::path const& path) {
    ZipArchive archive;
    archive.m_file_name = path.filename().string();
    std::error_code failure;
    archive.m_file_size = std::filesystem::file_size(path, failure);
    if (failure) return bad_input("the file can't be read: " + failure.message(), path.string());
    int code = 0;
    zip_t* zip = zip_open(path.c_str(), ZIP_RDONLY | ZIP_CHECKCONS, &code);
    if (zip == nullptr) {
        zip_error_t error;
        zip_error_init_with_code(&error, code);
        std::string const cause = zip_error_strerror(&error);
        zip_error_fini(&error);
        return bad_input(
                   fmt::format("the zip archive is cut off or damaged: its {} bytes have no valid directory at the end",
                               archive.m_file_size),
                   archive.m_file_name, "The download was probably interrupted; get the file again")
            .caused_by("libzip: " + cause);
    }
    archive.m_zip = std::shared_ptr<void>(zip, [](void* p) { zip_discard(static_cast<zip_t*>(p)); });

    zip_int64_t const count = zip_get_num_entries(zip, 0);
    if (count < 0 || static_cast<std::uint64_t>(count) > entry_limit)
        return bad_input(fmt::format("the zip archive says it has {} entries", count), archive.m_file_name);
    for (zip_uint64_t i = 0; i < static_cast<zip_uint64_t>(count); ++i) {
        zip_stat_t stat;
        constexpr zip_uint64_t needed = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE;
        if (zip_stat_index(zip, i, ZIP_FL_ENC_RAW, &stat) != 0 || (stat.valid & needed) != needed)
            return bad_input(fmt::format("entry {} of the zip archive is damaged", i), archive.m_file_name,
                             "Get the file again");
        if (!archive.m_entries.emplace(stat.name, Entry{i, stat.size, stat.comp_size}).second)
            return bad_input(fmt::format("the zip archive has two entries named {}", shown_name(stat.name)),
                             archive.m_file_name);
    }
    return archive;
}

ZipArchive::Entry const* ZipArchive::find(std::string const& name) const {
    auto const found = m_entries.find(name);
    return found == m_entries.end() ? nullptr : &found->second;
}

Result<void> ZipArchive::check_size(std::string const& name, Entry const& entry) const {
    if (entry.packed_size > m_file_size)
        return bad_input(fmt::format("entry {} says it has {} bytes, but the whole file has {}", shown_name(name),
                                     entry.packed_size, m_file_size),
                         m_file_name, "Get the file again");
    if (entry.size > free_unpacked_size && entry.size / packing_limit > entry.packed_size)
        return bad_input(fmt::format("refused: entry {} would unpack {} bytes to {} bytes (a zip bomb)",
                                     shown_name(name), entry.packed_size, entry.size),
                         m_file_name);
    return {};
}

Result<void> ZipArchive::read(std::string const& name, void* target, std::uint64_t size) {
    Entry const* entry = find(name);
    if (entry == nullptr)
        return bad_input(fmt::format("the zip archive has no entry {}", shown_name(name)), m_file_name,
                         "Get the file again");
    ORRERY_CHECK(check_size(name, *entry));
    if (size != entry->size)
        return bad_input(fmt::format("entry {} has {} bytes, not {}", shown_name(name), entry->size, size),
                         m_file_name);
    // Honest entries do not overlap, so together they are no larger than the file.
    m_packed_read += entry->packed_size;
    if (m_packed_read > m_file_size)
        return bad_input("refused: entries of the zip archive overlap (a zip bomb)", m_file_name);

    auto* zip = static_cast<zip_t*>(m_zip.get());
    auto damaged = [&](std::string const& cause) {
        return bad_input(fmt::format("entry {} of the zip archive is damaged", shown_name(name)), m_file_name,
                         "Get the file again")
            .caused_by("libzip: " + cause);
    };
    zip_file_t* file = zip_fopen_index(zip, entry->index, 0);
    if (file == nullptr) return damaged(zip_strerror(zip));
    std::shared_ptr<zip_file_t> const closes(file, [](zip_file_t* f) { zip_fclose(f); });
    std::uint64_t done = 0;
    while (done < size) {
        zip_int64_t const got = zip_fread(file, static_cast<char*>(target) + done, size - done);
        if (got < 0) return damaged(zip_file_strerror(file));
        if (got == 0) return damaged(fmt::format("ends after {} of {} bytes", done, size));
        done += static_cast<std::uint64_t>(got);
    }
    // The read past the end is what makes libzip compare the CRC-32.
    char beyond = 0;
    zip_int64_t const rest = zip_fread(file, &beyond, 1);
    if (rest < 0) return damaged(zip_file_strerror(file));
    if (rest > 0) return damaged("longer than its directory says");
    return {};
}

Result<std::string> ZipArchive::read_text(std::string const& name, std::uint64_t limit) {
    Entry const* entry = find(name);
    if (entry != nullptr && entry->size > limit)
        return bad_input(
            fmt::format("entry {} has {} bytes; at most {} are read", shown_name(name), entry->size, limit),
            m_file_name);
    if (entry != nullptr) ORRERY_CHECK(check_size(name, *entry));
    std::string text(entry == nullptr ? 0 : static_cast<std::size_t>(entry->size), '\0');
    ORRERY_CHECK(read(name, text.data(), text.size()));
    return text;
}

}  // namespace orrery
