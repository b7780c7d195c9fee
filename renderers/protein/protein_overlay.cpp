#include "renderers/protein/protein_overlay.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

namespace orrery::protein {

namespace {

QColor to_color(Rgb const& color) { return {color[0], color[1], color[2]}; }

QColor with_alpha(QColor color, int alpha) {
    color.setAlpha(alpha);
    return color;
}

// The font at `pixels` logical pixels, whatever the painter's device says of its resolution.
QFont font_at(Theme const& theme, double pixels, double scale) {
    QFont font = theme.body();
    font.setPixelSize(std::max(1, int(std::lround(pixels * scale * theme.scale))));
    return font;
}

QString number(double value, double span) {
    int const decimals = span >= 20 ? 0 : span >= 2 ? 1 : 2;
    QString text = QString::number(std::abs(value), 'f', decimals);
    bool const zero = text.toDouble() == 0;
    if (value < 0 && !zero) text.prepend(QChar(0x2212));
    return text;
}

QString full_title(Legend const& legend) {
    QString title = QString::fromStdString(legend.title);
    if (!legend.unit.empty()) title += " (" + QString::fromStdString(legend.unit) + ")";
    return title;
}

void paint_card(QPainter& painter, QRectF const& card, Theme const& theme, double scale) {
    painter.setPen(QPen(with_alpha(theme.border, 220), scale));
    painter.setBrush(with_alpha(theme.surface, 225));
    painter.drawRoundedRect(card, 4 * scale, 4 * scale);
}

void paint_bar(QPainter& painter, QRectF const& area, Legend const& legend, Theme const& theme, double scale) {
    QFont const title_font = font_at(theme, 12, scale), tick_font = font_at(theme, 11, scale);
    QFontMetricsF const title_size(title_font), tick_size(tick_font);
    QString const title = full_title(legend);
    double const missing_height = legend.missing ? tick_size.height() + 4 * scale : 0;
    double const pad = 8 * scale;
    double const width =
        std::min(std::max(200 * scale, title_size.horizontalAdvance(title) + 2 * pad), area.width() - 2 * pad);
    double const height =
        2 * pad + title_size.height() + 4 * scale + 10 * scale + 3 * scale + tick_size.height() + missing_height;
    QRectF const card(area.left() + pad, area.bottom() - pad - height, width, height);
    paint_card(painter, card, theme, scale);
    QRectF const inside = card.adjusted(pad, pad, -pad, -pad);
    painter.setFont(title_font);
    painter.setPen(theme.text);
    painter.drawText(QRectF(inside.left(), inside.top(), inside.width(), title_size.height()),
                     Qt::AlignLeft | Qt::AlignVCenter, title_size.elidedText(title, Qt::ElideRight, inside.width()));
    QRectF const bar(inside.left(), inside.top() + title_size.height() + 4 * scale, inside.width(), 10 * scale);
    QLinearGradient gradient(bar.topLeft(), bar.topRight());
    for (int i = 0; i <= 32; ++i) gradient.setColorAt(i / 32.0, to_color(color_of(legend.scale, i / 32.0)));
    painter.setPen(QPen(theme.border, scale));
    painter.setBrush(gradient);
    painter.drawRect(bar);
    painter.setFont(tick_font);
    painter.setPen(theme.secondary_text);
    double const span = legend.maximum - legend.minimum, y = bar.bottom() + 3 * scale;
    for (int i = 0; i <= 2; ++i) {
        double const value = legend.minimum + span * i / 2;
        QRectF const line(inside.left(), y, inside.width(), tick_size.height());
        painter.drawText(line,
                         (i == 0   ? Qt::AlignLeft
                          : i == 1 ? Qt::AlignHCenter
                                   : Qt::AlignRight) |
                             Qt::AlignTop,
                         number(value, span));
    }
    if (legend.missing)
        painter.drawText(QRectF(inside.left(), y + tick_size.height() + 4 * scale, inside.width(), tick_size.height()),
                         Qt::AlignLeft | Qt::AlignTop, QObject::tr("grey: no value"));
}

void paint_entries(QPainter& painter, QRectF const& area, Legend const& legend, Theme const& theme, double scale) {
    QFont const font = font_at(theme, 12, scale);
    QFontMetricsF const size(font);
    double const pad = 8 * scale, chip = 10 * scale, row = std::max(size.height(), chip) + 4 * scale;
    QString const title = full_title(legend);
    double const limit = area.width() - 4 * pad;
    // Entries flow in lines, so that twenty chains stay a strip and no tower.
    struct Placed {
        double x, y;
        QString text;
        QColor color;
    };
    std::vector<Placed> placed;
    double x = size.horizontalAdvance(title) + 12 * scale, y = 0, widest = x;
    std::size_t const most = 40;
    for (std::size_t i = 0; i < legend.entries.size(); ++i) {
        bool const rest = i == most;
        QString const text = rest ? QObject::tr("and %1 more").arg(legend.entries.size() - most)
                                  : QString::fromStdString(legend.entries[i].text);
        double const width = (rest ? 0 : chip + 5 * scale) + size.horizontalAdvance(text) + 12 * scale;
        if (x + width > std::min(limit, 420 * scale) && x > 0) {
            x = 0;
            y += row;
        }
        placed.push_back({x, y, text, rest ? QColor() : to_color(legend.entries[i].color)});
        x += width;
        widest = std::max(widest, x);
        if (rest) break;
    }
    QRectF const card(area.left() + pad, area.bottom() - pad - (y + row + 1.2 * pad), widest - 12 * scale + 2 * pad,
                      y + row + 1.2 * pad);
    paint_card(painter, card, theme, scale);
    QPointF const origin = card.topLeft() + QPointF(pad, 0.6 * pad);
    painter.setFont(font);
    painter.setPen(theme.secondary_text);
    painter.drawText(QRectF(origin.x(), origin.y(), limit, row), Qt::AlignLeft | Qt::AlignVCenter, title);
    for (Placed const& entry : placed) {
        double left = origin.x() + entry.x;
        if (entry.color.isValid()) {
            painter.setPen(QPen(theme.border, scale));
            painter.setBrush(entry.color);
            painter.drawRoundedRect(QRectF(left, origin.y() + entry.y + (row - chip) / 2, chip, chip), 2 * scale,
                                    2 * scale);
            left += chip + 5 * scale;
        }
        painter.setPen(theme.text);
        painter.drawText(QRectF(left, origin.y() + entry.y, limit, row), Qt::AlignLeft | Qt::AlignVCenter, entry.text);
    }
}

}  // namespace

void paint_legend(QPainter& painter, QRectF const& area, Legend const& legend, Theme const& theme, double scale) {
    if (legend.empty()) return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    if (legend.entries.empty())
        paint_bar(painter, area, legend, theme, scale);
    else
        paint_entries(painter, area, legend, theme, scale);
    painter.restore();
}

Overlay::Overlay(QWidget* parent) : QWidget(parent) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
    setFocusPolicy(Qt::NoFocus);
}

void Overlay::set_legend(Legend legend) {
    m_legend = std::move(legend);
    update();
}

void Overlay::set_theme(Theme theme) {
    m_theme = std::move(theme);
    update();
}

void Overlay::set_progress(QString text) {
    if (text == m_progress) return;
    m_progress = std::move(text);
    update();
}

void Overlay::set_hover(QPainterPath rim, QString label, QPointF at) {
    m_rim = std::move(rim);
    m_label = std::move(label);
    m_at = at;
    update();
}

void Overlay::clear_hover() {
    if (m_label.isEmpty() && m_rim.isEmpty()) return;
    m_rim = {};
    m_label.clear();
    update();
}

void Overlay::set_marks(QPainterPath rings) {
    if (rings == m_marks) return;
    m_marks = std::move(rings);
    update();
}

void Overlay::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    auto const outline = [&](QPainterPath const& path, QBrush const& inside) {
        if (path.isEmpty()) return;
        painter.setPen(QPen(with_alpha(m_theme.surface, 200), 4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.setBrush(inside);
        painter.drawPath(path);
        painter.setPen(QPen(m_theme.accent, 1.8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.setBrush(Qt::NoBrush);
        painter.drawPath(path);
    };
    outline(m_marks, Qt::NoBrush);
    outline(m_rim, with_alpha(m_theme.accent, 40));
    paint_legend(painter, rect(), m_legend, m_theme, 1);
    QFont const font = font_at(m_theme, 12, 1);
    QFontMetricsF const size(font);
    painter.setFont(font);
    auto const chip = [&](QPointF top_left, QString const& text) {
        QRectF const card(top_left, QSizeF(size.horizontalAdvance(text) + 16, size.height() + 8));
        paint_card(painter, card, m_theme, 1);
        painter.setPen(m_theme.text);
        painter.drawText(card, Qt::AlignCenter, text);
    };
    if (!m_label.isEmpty()) {
        double const width = size.horizontalAdvance(m_label) + 16, height_needed = size.height() + 8;
        double const x = m_at.x() + 16 + width < this->width() ? m_at.x() + 16 : m_at.x() - 12 - width;
        double const y = m_at.y() + 12 + height_needed < height() ? m_at.y() + 12 : m_at.y() - 8 - height_needed;
        chip({std::max(4.0, x), std::max(4.0, y)}, m_label);
    }
    if (!m_progress.isEmpty()) chip({8, 8}, m_progress);
}

}  // namespace orrery::protein
