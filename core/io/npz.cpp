#include "core/io/npy.h"
#include "core/io/zip_archive.h"

#include <zip.h>

#include <memory>

namespace orrery::io {
namespace {

constexpr std::string_view ending = ".npy";

Error not_written(zip_error_t* error) {
    return internal_error("the .npz archive can't be written").caused_by(zip_error_strerror(error));
}

}  // namespace

Result<std::map<std::string, NumpyArray>> read_npz(std::filesystem::path const& path, std::size_t limit) {
    ORRERY_TRY(ZipArchive archive, ZipArchive::open(path));
    std::string const file = path.filename().string();
    std::map<std::string, NumpyArray> arrays;
    for (auto const& [name, entry] : archive.entries()) {
        if (!name.ends_with(ending)) {
            return bad_input("the archive holds \"" + name.substr(0, 100) + "\", which is no array", file,
                             "Write it with numpy.savez");
        }
        if (entry.size > limit) return bad_input("the arrays of the archive are too large to be read", file);
        limit -= entry.size;
        ORRERY_TRY(std::string bytes, archive.read_text(name, entry.size));
        std::string const key = name.substr(0, name.size() - ending.size());
        ORRERY_TRY(NumpyArray array, parse_npy(bytes, file + ", array " + key));
        arrays.emplace(key, std::move(array));
    }
    return arrays;
}

Result<std::string> npz_bytes(std::map<std::string, NumpyArray> const& arrays) {
    zip_error_t error;
    zip_error_init(&error);
    std::unique_ptr<zip_error_t, void (*)(zip_error_t*)> const frees(&error, zip_error_fini);
    zip_source_t* target = zip_source_buffer_create(nullptr, 0, 0, &error);
    if (target == nullptr) return not_written(&error);
    zip_source_keep(target);  // the archive takes one reference, the bytes are read through the other
    std::unique_ptr<zip_source_t, void (*)(zip_source_t*)> const holds(target, zip_source_free);
    zip_t* zip = zip_open_from_source(target, ZIP_TRUNCATE, &error);
    if (zip == nullptr) {
        zip_source_free(target);
        return not_written(&error);
    }
    std::unique_ptr<zip_t, void (*)(zip_t*)> opened(zip, zip_discard);
    std::vector<std::string> kept;  // until the archive is closed
    kept.reserve(arrays.size());
    for (auto const& [name, array] : arrays) {
        kept.push_back(npy_bytes(array));
        zip_source_t* source = zip_source_buffer(zip, kept.back().data(), kept.back().size(), 0);
        zip_int64_t const index =
            source == nullptr ? -1 : zip_file_add(zip, (name + ".npy").c_str(), source, ZIP_FL_ENC_UTF_8);
        if (index < 0) {
            if (source != nullptr) zip_source_free(source);
            return not_written(zip_get_error(zip));
        }
        auto const at = static_cast<zip_uint64_t>(index);
        constexpr zip_uint16_t no_time = 0, first_day = (1 << 5) | 1;  // 1 January 1980, as numpy.savez writes it
        if (zip_set_file_compression(zip, at, ZIP_CM_STORE, 0) != 0 ||
            zip_file_set_dostime(zip, at, no_time, first_day, 0) != 0) {
            return not_written(zip_get_error(zip));
        }
    }
    if (zip_close(zip) != 0) return not_written(zip_get_error(zip));
    static_cast<void>(opened.release());
    if (zip_source_open(target) != 0) return not_written(zip_source_error(target));
    std::string out;
    char piece[1 << 14];
    zip_int64_t got = 0;
    while ((got = zip_source_read(target, piece, sizeof piece)) > 0) out.append(piece, static_cast<std::size_t>(got));
    zip_source_close(target);
    if (got < 0) return not_written(zip_source_error(target));
    return out;
}

}  // namespace orrery::io
