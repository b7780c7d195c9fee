#include "renderers/vtk/notice.h"

#include "renderers/theme.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

namespace orrery {

QWidget* make_notice(QString const& title, Error const& error, QWidget* parent) {
    auto* const page = new QWidget(parent);
    auto* const layout = new QVBoxLayout(page);
    layout->setContentsMargins(24, 24, 24, 24);
    layout->setSpacing(8);
    QString const message = QString::fromStdString(error.message());
    QString report = title + "\n" + message;
    for (std::string const& cause : error.chain) report += "\n  " + QString::fromStdString(cause);

    auto* const heading = new QLabel(QString::fromUtf8("\u26A0  ") + title);
    QFont font = heading->font();
    font.setPixelSize(16);
    font.setBold(true);
    heading->setFont(font);
    auto const line = [](QString const& text) {
        auto* const label = new QLabel(text);
        label->setWordWrap(true);
        label->setAlignment(Qt::AlignHCenter);
        // A label that wraps takes as little width as it may: give it the text's own, up to a readable line.
        label->setFixedWidth(std::min(560, label->fontMetrics().horizontalAdvance(text) + 16));
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        return label;
    };
    auto* const copy = new QPushButton(QObject::tr("Copy report"));
    QObject::connect(copy, &QPushButton::clicked, page, [report] { QGuiApplication::clipboard()->setText(report); });

    std::string what = error.what;
    if (!error.where.empty()) what += " (" + error.where + ")";
    layout->addStretch();
    layout->addWidget(heading, 0, Qt::AlignHCenter);
    layout->addWidget(line(QString::fromStdString(what) + "."), 0, Qt::AlignHCenter);
    if (!error.remedy.empty())
        layout->addWidget(line(QString::fromStdString("What to do: " + error.remedy + ".")), 0, Qt::AlignHCenter);
    layout->addSpacing(8);
    layout->addWidget(copy, 0, Qt::AlignHCenter);
    layout->addStretch();
    page->setAccessibleName(title);
    page->setAccessibleDescription(message);
    page->setObjectName("notice");
    return page;
}

}  // namespace orrery
