// Mutation texts: grammar, numbering, and messages that help. Spec: "Mutation strings".
#include "core/methods/stab-ddg/complex.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <set>

namespace orrery::methods::stab_ddg {
namespace {

constexpr std::string_view twenty = "ACDEFGHIKLMNPQRSTVWY";

// A mutation as it is written, before it is looked up.
struct Written {
    std::string text;
    char wild_type = 'X', mutant = 'X';
    std::string chain;  // empty: the only one
    int number = 0;
    char insertion_code = 0;
};

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return is_upper(c) || (c >= 'a' && c <= 'z'); }
char to_upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

std::string lower(std::string_view text) {
    std::string result(text);
    for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return result;
}

std::string trimmed(std::string_view text) {
    auto const first = text.find_first_not_of(" \t\r\n\"'");
    if (first == std::string_view::npos) return {};
    return std::string(text.substr(first, text.find_last_not_of(" \t\r\n\"'") - first + 1));
}

char letter_of_three(std::string_view name) {
    static std::map<std::string, char, std::less<>> const letters = {
        {"ala", 'A'}, {"arg", 'R'}, {"asn", 'N'}, {"asp", 'D'}, {"cys", 'C'}, {"gln", 'Q'}, {"glu", 'E'},
        {"gly", 'G'}, {"his", 'H'}, {"ile", 'I'}, {"leu", 'L'}, {"lys", 'K'}, {"met", 'M'}, {"phe", 'F'},
        {"pro", 'P'}, {"ser", 'S'}, {"thr", 'T'}, {"trp", 'W'}, {"tyr", 'Y'}, {"val", 'V'}};
    auto const at = letters.find(lower(name));
    return at == letters.end() ? char{0} : at->second;
}

// Reads "-?digits" at the start of `text` and removes it; false when there is none or it does not fit an int.
bool take_number(std::string_view& text, int& number) {
    std::size_t length = text.starts_with('-') ? 1 : 0;
    while (length < text.size() && is_digit(text[length])) ++length;
    auto const [end, error] = std::from_chars(text.data(), text.data() + length, number);
    if (error != std::errc{} || end != text.data() + length || length == 0) return false;
    text.remove_prefix(length);
    return true;
}

// "63Q", "100bA", "63Gln": number, insertion code, mutant. The mutant is one letter or three.
bool take_place_and_mutant(std::string_view text, Written& out) {
    if (!take_number(text, out.number)) return false;
    if (text.size() == 3 || text.size() == 4) {
        char const letter = letter_of_three(text.substr(text.size() - 3));
        if (letter != 0) {
            if (text.size() == 4) {
                if (!is_letter(text[0])) return false;
                out.insertion_code = to_upper(text[0]);
            }
            out.mutant = letter;
            return true;
        }
    }
    if (text.size() == 2) {
        if (!is_letter(text[0])) return false;
        out.insertion_code = to_upper(text[0]);
        text.remove_prefix(1);
    }
    if (text.size() != 1 || !(is_upper(text[0]) || text[0] == '*')) return false;
    out.mutant = text[0];
    return true;
}

// "E", "Glu": wild type at the start, removed. Longest first, since "GluA63Gln" starts with a G too.
std::vector<std::pair<char, std::string_view>> wild_types(std::string_view text) {
    std::vector<std::pair<char, std::string_view>> result;
    if (text.size() > 3)
        if (char const letter = letter_of_three(text.substr(0, 3))) result.emplace_back(letter, text.substr(3));
    if (!text.empty() && is_upper(text[0])) result.emplace_back(text[0], text.substr(1));
    return result;
}

// E:AB:63:Q
bool parse_separated(std::string_view text, Written& out) {
    std::vector<std::string_view> parts;
    while (true) {
        auto const colon = text.find(':');
        parts.push_back(text.substr(0, colon));
        if (colon == std::string_view::npos) break;
        text.remove_prefix(colon + 1);
    }
    auto const one_letter = [](std::string_view part) {
        return part.size() == 3 ? letter_of_three(part) : part.size() == 1 ? part[0] : char{0};
    };
    if (parts.size() == 4) {
        char const wild_type = one_letter(parts[0]), mutant = one_letter(parts[3]);
        std::string_view place = parts[2];
        if (wild_type == 0 || mutant == 0 || parts[1].empty() || !take_number(place, out.number)) return false;
        if (place.size() > 1 || (place.size() == 1 && !is_letter(place[0]))) return false;
        out.insertion_code = place.empty() ? char{0} : to_upper(place[0]);
        out.wild_type = wild_type;
        out.mutant = mutant;
        out.chain = parts[1];
        return true;
    }
    if (parts.size() == 2 && !parts[0].empty())  // A:E63Q
        for (auto const& [letter, rest] : wild_types(parts[1]))
            if (take_place_and_mutant(rest, out)) {
                out.wild_type = letter;
                out.chain = parts[0];
                return true;
            }
    return false;
}

bool parse_with_chain(std::string_view text, Written& out) {
    for (auto const& [letter, rest] : wild_types(text)) {
        if (rest.empty() || !(is_letter(rest[0]) || is_digit(rest[0]))) continue;
        Written candidate;
        if (!take_place_and_mutant(rest.substr(1), candidate)) continue;
        out.number = candidate.number;
        out.insertion_code = candidate.insertion_code;
        out.mutant = candidate.mutant;
        out.wild_type = letter;
        out.chain = std::string(1, rest[0]);
        return true;
    }
    return false;
}

bool parse_without_chain(std::string_view text, Written& out) {
    for (auto const& [letter, rest] : wild_types(text)) {
        Written candidate;
        if (!take_place_and_mutant(rest, candidate)) continue;
        out.number = candidate.number;
        out.insertion_code = candidate.insertion_code;
        out.mutant = candidate.mutant;
        out.wild_type = letter;
        out.chain.clear();
        return true;
    }
    return false;
}

bool is_indel(std::string const& text) {
    std::string const small = lower(text);
    for (char const* mark : {"del", "ins", "dup", "fs", "ext", "\xce\x94", "\xe2\x88\x86"})
        if (small.find(mark) != std::string::npos) return true;
    return text.ends_with('-') || text.ends_with('_');
}

class Parser {
public:
    Parser(Backbone const& backbone, Numbering numbering) : m_backbone(backbone), m_numbering(numbering) {}

    Result<std::vector<Mutant>> run(std::vector<std::string> const& texts, std::vector<std::string> const& wheres,
                                    std::vector<std::string>* notes) {
        std::vector<std::vector<Written>> written;
        for (std::size_t i = 0; i < texts.size(); ++i) {
            m_where = i < wheres.size() ? wheres[i] : std::string{};
            ORRERY_TRY(std::vector<Written> mutant, parse_one(texts[i]));
            written.push_back(std::move(mutant));
        }
        m_where = wheres.empty() ? std::string{} : wheres.front();
        ORRERY_CHECK(settle(written, notes));
        std::vector<Mutant> mutants;
        for (std::size_t i = 0; i < written.size(); ++i) {
            m_where = i < wheres.size() ? wheres[i] : std::string{};
            ORRERY_TRY(Mutant mutant, look_up(written[i], texts[i]));
            mutants.push_back(std::move(mutant));
        }
        return mutants;
    }

private:
    [[nodiscard]] Error error(std::string what, std::string remedy = {}) const {
        return bad_input(std::move(what), m_where.empty() ? m_backbone.name : m_where, std::move(remedy), "mutations");
    }

    [[nodiscard]] std::string chain_names() const {
        std::string text;
        for (BackboneChain const& chain : m_backbone.chains) text += (text.empty() ? "" : ", ") + chain.name;
        return text;
    }

    [[nodiscard]] BackboneChain const& chain(int index) const {
        return m_backbone.chains[static_cast<std::size_t>(index)];
    }

    Result<std::vector<Written>> parse_one(std::string const& text) const {
        std::vector<std::string> parts(1);
        for (char const c : text) {
            if (c == ',' || c == ';' || c == '+' || c == '/')
                parts.emplace_back();
            else
                parts.back() += c;
        }
        for (std::string& part : parts) part = trimmed(part);
        // "EA63Q,QD30V;" is how FoldX ends a line; other empty parts are typing errors.
        if (parts.size() > 1 && parts.back().empty()) parts.pop_back();
        std::vector<Written> result;
        for (std::string const& part : parts) {
            if (part.empty())
                return error(
                    "the mutation is empty" + (parts.size() > 1 ? " between two separators in " + text : std::string{}),
                    "Write wild type, chain, position, mutant: EA63Q");
            ORRERY_TRY(Written written, parse_part(part));
            result.push_back(std::move(written));
        }
        return result;
    }

    Result<Written> parse_part(std::string const& text) const {
        Written written;
        written.text = text;
        std::string const form = "Write wild type, chain, position, mutant: EA63Q (also A:E63Q, E:AB:63:Q, GluA63Gln)";
        bool const one_chain = m_backbone.chains.size() == 1;
        bool good = false;
        if (text.find(':') != std::string::npos) {
            good = parse_separated(text, written);
        } else {
            good = parse_with_chain(text, written);
            // With one chain "E63Q" is position 63, unless the chain is called 6.
            if (one_chain && (!good || m_backbone.chain_index(written.chain) < 0)) {
                Written bare = written;
                if (parse_without_chain(text, bare)) written = bare, good = true;
            }
        }
        if (!good) {
            if (is_indel(text))
                return error(text + ": deletions and insertions are not supported",
                             "Only substitutions keep the backbone that this method scores");
            Written bare;
            if (parse_without_chain(text, bare) && text.find(':') == std::string::npos)
                return error(text + ": the chain is missing", "The second letter is the chain: " + text.substr(0, 1) +
                                                                  m_backbone.chains.front().name + text.substr(1) +
                                                                  "; the chains are " + chain_names());
            return error("\"" + text + "\" is not a mutation", form);
        }
        ORRERY_CHECK(check_letters(written));
        return written;
    }

    Result<void> check_letters(Written const& written) const {
        if (written.mutant == '*' || written.wild_type == '*')
            return error(written.text + ": a stop codon (*) is not supported", "Only the twenty amino acids are");
        for (char const letter : {written.wild_type, written.mutant}) {
            if (letter == 'X')
                return error(written.text + ": X (any residue) is not supported", "Name one of the twenty amino acids");
            if (twenty.find(letter) == std::string_view::npos)
                return error(written.text + ": " + std::string(1, letter) + " is not one of the twenty amino acids",
                             "They are " + std::string(twenty));
        }
        return {};
    }

    Result<int> chain_of(Written const& written) const {
        if (written.chain.empty()) return 0;
        int const index = m_backbone.chain_index(written.chain);
        if (index >= 0) return index;
        std::string remedy = "The chains of " + m_backbone.name + " are " + chain_names();
        if (written.chain.size() == 1 && is_digit(written.chain[0]))
            remedy += "; the second letter of a mutation is the chain, so write " + std::string(1, written.wild_type) +
                      m_backbone.chains.front().name + written.text.substr(1);
        for (BackboneChain const& chain : m_backbone.chains)
            if (chain.label_name == written.chain)
                remedy += "; mmCIF label " + written.chain + " is chain " + chain.name;
        return error(written.text + ": there is no chain " + written.chain, remedy);
    }

    // The 0-based position under a numbering, -1 if there is none.
    [[nodiscard]] int position(Written const& written, int chain_index, Numbering numbering) const {
        BackboneChain const& chain = this->chain(chain_index);
        if (numbering == Numbering::ordinal) {
            bool const inside = written.number >= 1 && written.number <= static_cast<int>(chain.size());
            return written.insertion_code == 0 && inside ? written.number - 1 : -1;
        }
        for (std::size_t i = 0; i < chain.size(); ++i)
            if (chain.number[i] == written.number && to_upper(chain.insertion_code[i]) == written.insertion_code)
                return static_cast<int>(i);
        return -1;
    }

    [[nodiscard]] bool matches(Written const& written, int chain_index, Numbering numbering) const {
        int const at = position(written, chain_index, numbering);
        return at >= 0 && chain(chain_index).letters[static_cast<std::size_t>(at)] == written.wild_type;
    }

    // Which numbering each chain of the list is in.
    struct Fit {
        int total = 0, author = 0, ordinal = 0;
        bool same = true;  // both numberings mean the same positions
    };

    Result<void> settle(std::vector<std::vector<Written>> const& list, std::vector<std::string>* notes) {
        std::map<int, Fit> fits;
        for (auto const& mutant : list)
            for (Written const& written : mutant) {
                ORRERY_TRY(int const index, chain_of(written));
                Fit& fit = fits[index];
                ++fit.total;
                fit.author += matches(written, index, Numbering::author) ? 1 : 0;
                fit.ordinal += matches(written, index, Numbering::ordinal) ? 1 : 0;
                fit.same = fit.same &&
                           position(written, index, Numbering::author) == position(written, index, Numbering::ordinal);
            }
        for (auto const& [index, fit] : fits) m_settled[index] = m_numbering;
        if (m_numbering != Numbering::automatic) return {};
        bool author = true, ordinal = true, same = true;
        for (auto const& [index, fit] : fits) {
            author = author && fit.author == fit.total;
            ordinal = ordinal && fit.ordinal == fit.total;
            same = same && fit.same;
        }
        if (author && ordinal && !same) return error_both(fits);
        if (author || ordinal) {
            for (auto& [index, numbering] : m_settled) numbering = author ? Numbering::author : Numbering::ordinal;
            if (notes != nullptr && !same)
                notes->push_back(author ? "positions are author numbers"
                                        : "positions are ordinals in the chain as read");
            return {};
        }
        return settle_by_chain(fits, notes);
    }

    // The list as a whole fits neither: each chain for itself. A chain that fits neither keeps the better one, and the
    // look-up below reports its first mismatch.
    Result<void> settle_by_chain(std::map<int, Fit> const& fits, std::vector<std::string>* notes) {
        for (auto const& [index, fit] : fits) {
            bool const author = fit.author == fit.total, ordinal = fit.ordinal == fit.total;
            if (author && ordinal && !fit.same) return error_both({{index, fit}});
            m_settled[index] =
                author || (!ordinal && fit.author >= fit.ordinal) ? Numbering::author : Numbering::ordinal;
            if (notes != nullptr && (author || ordinal) && !fit.same)
                notes->push_back("chain " + chain(index).name + ": positions are " +
                                 (author ? "author numbers" : "ordinals in the chain as read"));
        }
        return {};
    }

    [[nodiscard]] Error error_both(std::map<int, Fit> const& fits) const {
        std::string names;
        int total = 0;
        for (auto const& [index, fit] : fits) {
            if (fit.same) continue;
            names += (names.empty() ? "" : ", ") + chain(index).name;
            total += fit.total;
        }
        Error result = error(
            "the numbering of chain " + names + " can't be told: " +
                (total == 1 ? std::string("the mutation fits") : "all " + std::to_string(total) + " mutations fit") +
                " author numbers and ordinals alike, at different positions",
            "Say which: author or ordinal numbering");
        result.field = "numbering";
        return result;
    }

    // "61, 65": the up to three positions nearest to `number` that hold the letter, in the numbering in use.
    [[nodiscard]] std::string nearest(BackboneChain const& chain, char letter, int number, bool author) const {
        std::vector<std::pair<long, std::size_t>> found;
        for (std::size_t i = 0; i < chain.size(); ++i)
            if (chain.letters[i] == letter) {
                long const here = author ? chain.number[i] : static_cast<long>(i) + 1;
                found.emplace_back(std::labs(here - number), i);
            }
        std::sort(found.begin(), found.end());
        if (found.size() > 3) found.resize(3);
        std::sort(found.begin(), found.end(), [](auto const& a, auto const& b) { return a.second < b.second; });
        std::string text;
        for (auto const& [away, i] : found) text += (text.empty() ? "" : ", ") + name_of(chain, i, author);
        return text;
    }

    static std::string name_of(BackboneChain const& chain, std::size_t i, bool author) {
        if (!author) return std::to_string(i + 1);
        std::string text = std::to_string(chain.number[i]);
        if (chain.insertion_code[i] != 0) text += chain.insertion_code[i];
        return text;
    }

    [[nodiscard]] Error no_such_position(Written const& written, BackboneChain const& chain, bool author) const {
        std::string number = std::to_string(written.number);
        if (written.insertion_code != 0) number += written.insertion_code;
        if (!author && written.insertion_code != 0)
            return error(written.text + ": an ordinal position has no insertion code", "Choose author numbering");
        auto const [least, most] = std::minmax_element(chain.number.begin(), chain.number.end());
        std::string const range =
            author ? "its author numbers run from " + std::to_string(*least) + " to " + std::to_string(*most)
                   : "it has " + std::to_string(chain.size()) + " positions";
        std::string const found = nearest(chain, written.wild_type, written.number, author);
        std::string remedy;
        if (!found.empty()) remedy = std::string(1, written.wild_type) + " is found at " + found;
        return error(written.text + ": chain " + chain.name + " has no " + (author ? "residue " : "position ") +
                         number + "; " + range,
                     remedy);
    }

    [[nodiscard]] Error mismatch(Written const& written, BackboneChain const& chain, std::size_t at,
                                 bool author) const {
        std::string const here =
            author ? "residue " + name_of(chain, at, true) : "position " + name_of(chain, at, false);
        std::string const there =
            author ? "position " + name_of(chain, at, false) : "author " + name_of(chain, at, true);
        std::string const letter(1, written.wild_type);
        std::string const found = nearest(chain, written.wild_type, written.number, author);
        std::string is(1, chain.letters[at]);
        if (chain.letters[at] == '-') is = "unresolved";
        if (chain.letters[at] == 'X') is = "an unknown residue";
        return error(written.text + ": chain " + chain.name + " " + here + " is " + is + " (" + there + "), " +
                         (found.empty() ? "and the chain has no " + letter : letter + " found at " + found),
                     author ? "Check the numbering: these are author numbers; SKEMPI cleaned lists are ordinal"
                            : "Check the numbering: these are ordinals in the chain as read, gaps counted");
    }

    Result<Mutant> look_up(std::vector<Written> const& written, std::string const& text) const {
        Mutant mutant;
        std::set<std::pair<int, int>> seen;
        for (Written const& one : written) {
            ORRERY_TRY(int const index, chain_of(one));
            Numbering const numbering = m_settled.at(index);
            bool const author = numbering != Numbering::ordinal;
            BackboneChain const& in = chain(index);
            int const at = position(one, index, numbering);
            if (at < 0) return no_such_position(one, in, author);
            if (in.letters[static_cast<std::size_t>(at)] != one.wild_type)
                return mismatch(one, in, static_cast<std::size_t>(at), author);
            if (!seen.insert({index, at}).second)
                return error(trimmed(text) + ": chain " + in.name + (author ? " residue " : " position ") +
                                 name_of(in, static_cast<std::size_t>(at), author) + " is mutated twice",
                             "A position has one mutation in a mutant");
            mutant.mutations.push_back({index, at, one.wild_type, one.mutant});
        }
        name_mutant(m_backbone, mutant);
        return mutant;
    }

    Backbone const& m_backbone;
    Numbering m_numbering;
    std::map<int, Numbering> m_settled;
    std::string m_where;
};

}  // namespace

void name_mutant(Backbone const& backbone, Mutant& mutant) {
    mutant.ordinal.clear();
    mutant.author.clear();
    for (PointMutation const& mutation : mutant.mutations) {
        BackboneChain const& chain = backbone.chains[static_cast<std::size_t>(mutation.chain)];
        auto const at = static_cast<std::size_t>(mutation.position);
        std::string author = std::to_string(chain.number[at]);
        if (char const code = chain.insertion_code[at])
            author += static_cast<char>(std::tolower(static_cast<unsigned char>(code)));
        // Longer chain names only in the separated form.
        std::string const separator = chain.name.size() == 1 ? "" : ":";
        std::string const start = std::string(1, mutation.wild_type) + separator + chain.name + separator;
        std::string const end = separator + std::string(1, mutation.mutant);
        std::string const comma = mutant.ordinal.empty() ? "" : ",";
        mutant.ordinal += comma + start + std::to_string(mutation.position + 1) + end;
        mutant.author += comma + start + author + end;
    }
}

Result<std::vector<Mutant>> parse_mutants_at(Backbone const& backbone, std::vector<std::string> const& texts,
                                             Numbering numbering, std::vector<std::string> const& wheres,
                                             std::vector<std::string>* notes) {
    return Parser(backbone, numbering).run(texts, wheres, notes);
}

Result<std::vector<Mutant>> parse_mutants(Backbone const& backbone, std::vector<std::string> const& texts,
                                          Numbering numbering, std::string const& where,
                                          std::vector<std::string>* notes) {
    return parse_mutants_at(backbone, texts, numbering, std::vector<std::string>(texts.size(), where), notes);
}

Result<void> check_on_sides(Backbone const& backbone, Sides const& sides, std::vector<Mutant> const& mutants) {
    std::set<int> known(sides.side1.begin(), sides.side1.end());
    known.insert(sides.side2.begin(), sides.side2.end());
    for (Mutant const& mutant : mutants)
        for (PointMutation const& mutation : mutant.mutations)
            if (!known.contains(mutation.chain)) {
                Mutant one;
                one.mutations.push_back(mutation);
                name_mutant(backbone, one);
                std::string const& chain = backbone.chains[static_cast<std::size_t>(mutation.chain)].name;
                return bad_input(one.author + ": chain " + chain + " is on neither side", "sides " + sides.text,
                                 "Put chain " + chain + " on a side, or leave the mutation out", "mutations");
            }
    return {};
}

}  // namespace orrery::methods::stab_ddg
