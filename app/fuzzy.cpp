#include "app/fuzzy.h"

#include <QStringList>

namespace orrery {

namespace {

bool begins_word(QString const& text, qsizetype at) { return at == 0 || !text.at(at - 1).isLetterOrNumber(); }

int word_score(QString const& word, QString const& text) {
    qsizetype best = -1;
    for (qsizetype at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
        best = at;
        if (begins_word(text, at)) return 100 + static_cast<int>(word.size()) * 4 + (at == 0 ? 20 : 0);
    }
    if (best >= 0) return 50 + static_cast<int>(word.size()) * 3;
    // Letters in order: "thd" finds "theme dark". Each must begin a word or follow the one before, else it is chance.
    int score = 10;
    qsizetype at = -1;
    for (QChar const letter : word) {
        qsizetype next = at + 1 < text.size() && at >= 0 && text.at(at + 1) == letter ? at + 1 : -1;
        if (next < 0) {
            for (next = text.indexOf(letter, at + 1); next >= 0 && !begins_word(text, next);)
                next = text.indexOf(letter, next + 1);
            if (next < 0) return 0;
        }
        score += 3;
        at = next;
    }
    return score;
}

}  // namespace

int fuzzy_score(QString const& typed, QString const& text) {
    QString const lower = text.toLower();
    int total = 0;
    QStringList const words = typed.toLower().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    if (words.isEmpty()) return 1;
    for (QString const& word : words) {
        int const score = word_score(word, lower);
        if (score == 0) return 0;
        total += score;
    }
    return qMax(1, total * 4 - static_cast<int>(qMin<qsizetype>(lower.size(), 160)) / 4);
}

}  // namespace orrery
