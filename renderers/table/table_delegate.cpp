#include "renderers/table/table_delegate.h"

#include "renderers/table/table_model.h"
#include "renderers/theme_style.h"

#include <QApplication>
#include <QPainter>
#include <algorithm>

namespace orrery {
namespace {

constexpr int side_padding = 8;

qreal digit_width(QFontMetricsF const& metrics) {
    qreal width = 0;
    for (char digit = '0'; digit <= '9'; ++digit) width = std::max(width, metrics.horizontalAdvance(QChar(digit)));
    return width;
}

}  // namespace

qreal TableDelegate::tabular_width(QString const& text, QFontMetricsF const& metrics) {
    qreal const digit = digit_width(metrics);
    qreal width = 0;
    for (QChar const letter : text) width += letter.isDigit() ? digit : metrics.horizontalAdvance(letter);
    return width;
}

void TableDelegate::paint(QPainter* painter, QStyleOptionViewItem const& option, QModelIndex const& index) const {
    Theme const& theme = ThemeNotifier::instance().theme();
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    QString const text = item.text;
    item.text.clear();
    item.state &= ~QStyle::State_HasFocus;  // the row shows what is current, not the cell
    QStyle const* const style = item.widget != nullptr ? item.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &item, painter, item.widget);
    if (index.row() == m_linked_row) {
        QColor ground = hover(theme);
        if (!option.state.testFlag(QStyle::State_Selected)) painter->fillRect(option.rect, ground);
        if (index.column() == 0)
            painter->fillRect(QRect(option.rect.left(), option.rect.top(), 3, option.rect.height()), theme.accent);
    }
    std::size_t const row = m_model.source_row(index.row());
    bool const missing = is_missing(m_model.table().at(row, static_cast<std::size_t>(index.column())));
    painter->save();
    painter->setFont(item.font);
    painter->setPen(missing ? disabled(theme) : theme.text);
    QRectF const box = option.rect.adjusted(side_padding, 0, -side_padding, 0);
    QFontMetricsF const metrics(item.font);
    if (!m_model.is_numeric(index.column())) {
        QString const shown = metrics.elidedText(text, Qt::ElideRight, box.width());
        painter->drawText(box, static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter), shown);
    } else if (missing || tabular_width(text, metrics) > box.width()) {
        painter->drawText(box, static_cast<int>(Qt::AlignRight | Qt::AlignVCenter),
                          metrics.elidedText(text, Qt::ElideLeft, box.width()));
    } else {
        qreal const digit = digit_width(metrics);
        qreal const baseline = box.center().y() + (metrics.ascent() - metrics.descent()) / 2;
        qreal x = box.right();
        for (auto letter = text.crbegin(); letter != text.crend(); ++letter) {
            qreal const own = metrics.horizontalAdvance(*letter);
            qreal const width = letter->isDigit() ? digit : own;
            x -= width;
            painter->drawText(QPointF(x + (width - own) / 2, baseline), QString(*letter));
        }
    }
    painter->restore();
}

}  // namespace orrery
