#include "panels/common/empty_page.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "panels/common/icons.h"
#include "panels/common/labels.h"
#include "panels/common/panel.h"
#include "panels/common/text.h"
#include "renderers/theme.h"

namespace orrery {

EmptyPage::EmptyPage(PanelDescriptor const& panel, QWidget* parent) : QWidget(parent), m_panel(panel) {
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(24, 24, 24, 24);
    outer->addStretch(2);
    auto* picture = new QLabel(this);
    picture->setAlignment(Qt::AlignCenter);
    auto const draw = [this, picture] {
        if (!m_panel.picture.empty()) {
            QPixmap result(qt(m_panel.picture));
            if (!result.isNull()) {
                double const ratio = devicePixelRatioF();
                result = result.scaled(QSize(440, 240) * ratio, Qt::KeepAspectRatio, Qt::SmoothTransformation);
                result.setDevicePixelRatio(ratio);
                picture->setPixmap(result);
                return;
            }
        }
        QString const name = m_panel.icon.empty() ? QStringLiteral("file") : qt(m_panel.icon);
        picture->setPixmap(
            icon_pixmap(name, 64, ThemeNotifier::instance().theme().secondary_text, devicePixelRatioF()));
    };
    draw();
    connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, picture, draw);
    outer->addWidget(picture);
    outer->addSpacing(8);
    m_hint = make_label({}, "heading", this, 16, QFont::DemiBold);
    m_hint->setObjectName(qt(panel.schema->slug) + QStringLiteral(".hint"));
    m_hint->setAlignment(Qt::AlignCenter);
    m_hint->setWordWrap(true);
    outer->addWidget(m_hint);
    m_offers = new QWidget(this);
    auto* offers = new QVBoxLayout(m_offers);
    offers->setContentsMargins(0, 8, 0, 0);
    offers->setSpacing(8);
    if (!panel.schema->file_patterns.empty()) {
        QStringList patterns;
        for (std::string const& pattern : panel.schema->file_patterns)
            patterns << qt(pattern).remove(QStringLiteral("*"));
        auto* kinds = make_label(patterns.join(QStringLiteral("  ")), "secondary", m_offers);
        kinds->setAlignment(Qt::AlignCenter);
        offers->addWidget(kinds);
        auto* choose =
            make_button(QStringLiteral("Choose a file…"), qt(panel.schema->slug) + QStringLiteral(".choose"), m_offers);
        connect(choose, &QPushButton::clicked, this, &EmptyPage::choose_wanted);
        offers->addWidget(choose, 0, Qt::AlignCenter);
    }
    add_samples(offers);
    outer->addWidget(m_offers);
    outer->addStretch(3);
    show_empty();
}

void EmptyPage::add_samples(QVBoxLayout* layout) {
    if (m_panel.samples.empty()) return;
    layout->addSpacing(8);
    auto* or_label = make_label(QStringLiteral("or start with a sample"), "secondary", m_offers);
    or_label->setAlignment(Qt::AlignCenter);
    layout->addWidget(or_label);
    for (Sample const& sample : m_panel.samples) {
        auto* button = make_button(qt(sample.title), qt(m_panel.schema->slug + ".sample." + sample.name), m_offers);
        button->setToolTip(qt(sample.summary));
        button->setAccessibleDescription(qt(sample.summary));
        connect(button, &QPushButton::clicked, this, [this, &sample] { Q_EMIT sample_wanted(qt(sample.name)); });
        layout->addWidget(button, 0, Qt::AlignCenter);
        auto* summary = make_label(qt(sample.summary), "secondary", m_offers, 11);
        summary->setAlignment(Qt::AlignCenter);
        summary->setWordWrap(true);
        layout->addWidget(summary);
    }
}

void EmptyPage::show_empty() {
    m_hint->setText(qt(m_panel.empty_hint));
    m_offers->show();
}

void EmptyPage::show_loading(QString const& name) {
    m_hint->setText(QStringLiteral("Reading %1").arg(name));
    m_offers->hide();
}

}  // namespace orrery
