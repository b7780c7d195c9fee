#include "panels/common/icons.h"

#include <QApplication>
#include <QFile>
#include <QHash>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QSvgRenderer>

#include "renderers/theme.h"

// The resources of a static library are there only when they are asked for, and the macro must stand in no namespace.
static void init_icons() { Q_INIT_RESOURCE(app); }

namespace orrery {

namespace {

QString resource_path(QString const& name) {
    return name.startsWith(QLatin1Char(':')) ? name : QStringLiteral(":/icons/%1.svg").arg(name);
}

QByteArray svg_of(QString const& name) {
    static bool const ready = (init_icons(), true);
    (void)ready;
    QFile file(resource_path(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// Draws at the moment of painting with the theme's colour then, so nothing has to be told when the theme changes.
class ThemedIconEngine : public QIconEngine {
public:
    explicit ThemedIconEngine(QString name) : m_name(std::move(name)) {}

    void paint(QPainter* painter, QRect const& rect, QIcon::Mode mode, QIcon::State) override {
        Theme const& theme = ThemeNotifier::instance().theme();
        QColor color = mode == QIcon::Selected ? theme.accent : theme.text;
        if (mode == QIcon::Disabled) color = theme.secondary_text;
        if (!color.isValid()) color = QApplication::palette().color(QPalette::WindowText);
        double const ratio = painter->device() != nullptr ? painter->device()->devicePixelRatioF() : 1.0;
        painter->drawPixmap(rect, icon_pixmap(m_name, qMin(rect.width(), rect.height()), color, ratio));
    }
    QPixmap pixmap(QSize const& size, QIcon::Mode mode, QIcon::State state) override {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect({0, 0}, size), mode, state);
        return pixmap;
    }
    [[nodiscard]] QIconEngine* clone() const override { return new ThemedIconEngine(m_name); }

private:
    QString m_name;
};

}  // namespace

QPixmap icon_pixmap(QString const& name, int size, QColor const& color, double device_pixel_ratio) {
    static QHash<QString, QPixmap> cache;
    QString const key = QStringLiteral("%1|%2|%3|%4").arg(name).arg(size).arg(color.name()).arg(device_pixel_ratio);
    if (auto const found = cache.constFind(key); found != cache.constEnd()) return *found;
    QPixmap pixmap(QSize(size, size) * device_pixel_ratio);
    pixmap.fill(Qt::transparent);
    QSvgRenderer renderer(svg_of(name));
    if (renderer.isValid()) {
        QPainter painter(&pixmap);
        renderer.setAspectRatioMode(Qt::KeepAspectRatio);
        renderer.render(&painter);
        // The drawing gives the shape, the theme the colour; only the program's own mark has colours of its own.
        if (name != QLatin1String("orrery")) {
            painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
            painter.fillRect(pixmap.rect(), color);
        }
    }
    pixmap.setDevicePixelRatio(device_pixel_ratio);
    cache.insert(key, pixmap);
    return pixmap;
}

QIcon icon(QString const& name) { return QIcon(new ThemedIconEngine(name)); }

}  // namespace orrery
