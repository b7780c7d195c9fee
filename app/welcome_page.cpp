#include "app/welcome_page.h"

#include <QFileInfo>
#include <QFrame>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include "panels/common/icons.h"
#include "panels/common/labels.h"
#include "panels/common/text.h"
#include "renderers/theme.h"

namespace orrery {

namespace {

constexpr int content_width = 880;

}  // namespace

WelcomePage::WelcomePage(std::vector<PanelDescriptor> const& panels, CommandBus& commands, QWidget* parent)
    : QWidget(parent), m_commands(commands) {
    setObjectName(QStringLiteral("welcome"));
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    auto* page = new QWidget(scroll);
    auto* across = new QHBoxLayout(page);
    across->setContentsMargins(32, 32, 32, 32);
    auto* column = new QWidget(page);
    column->setMaximumWidth(content_width);
    column->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    across->addWidget(column, 1, Qt::AlignTop);
    auto* layout = new QVBoxLayout(column);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);

    auto* head = new QHBoxLayout();
    head->setSpacing(16);
    auto* logo = new QLabel(column);
    logo->setPixmap(icon_pixmap(QStringLiteral("orrery"), 56, Qt::black, devicePixelRatioF()));
    head->addWidget(logo);
    auto* words = new QVBoxLayout();
    words->setSpacing(2);
    words->addWidget(make_label(QStringLiteral("Orrery"), "title", column, 20, QFont::DemiBold));
    words->addWidget(make_label(
        QStringLiteral(
            "Bring data, turn a handle, and look. Methods run on this machine; every figure leads back to its run."),
        "secondary", column));
    head->addLayout(words, 1);
    layout->addLayout(head);

    auto* actions = new QHBoxLayout();
    actions->setSpacing(8);
    auto const add_action = [&](char const* text, char const* name, char const* command, bool primary) {
        QPushButton* button = make_button(QString::fromUtf8(text), QString::fromLatin1(name), column, primary);
        connect(button, &QPushButton::clicked, this, [this, command] { (void)m_commands.execute(command); });
        actions->addWidget(button);
    };
    add_action("Open a file\xe2\x80\xa6", "welcome.open", "open-dialog", true);
    add_action("Search everything", "welcome.search", "palette", false);
    actions->addWidget(make_label(QStringLiteral("or drop files anywhere on the window"), "secondary", column));
    actions->addStretch(1);
    layout->addSpacing(8);
    layout->addLayout(actions);
    layout->addSpacing(16);

    layout->addWidget(make_label(QStringLiteral("Rooms and samples"), "heading", column, 16, QFont::DemiBold));
    auto* grid = new QGridLayout();
    grid->setSpacing(12);
    int place = 0;
    for (PanelDescriptor const& panel : panels) {
        grid->addWidget(make_gallery_card(panel, column), place / 2, place % 2);
        ++place;
    }
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 1);
    layout->addLayout(grid);

    m_recent_box = new QWidget(column);
    m_recent = new QVBoxLayout(m_recent_box);
    m_recent->setContentsMargins(0, 16, 0, 0);
    m_recent->setSpacing(2);
    layout->addWidget(m_recent_box);
    layout->addStretch(1);
    scroll->setWidget(page);
    outer->addWidget(scroll);
}

QWidget* WelcomePage::make_gallery_card(PanelDescriptor const& panel, QWidget* parent) {
    MethodSchema const& schema = *panel.schema;
    QString const slug = qt(schema.slug);
    auto* card = new QFrame(parent);
    card->setProperty("role", "card");
    auto* layout = new QVBoxLayout(card);
    layout->setContentsMargins(16, 14, 16, 14);
    layout->setSpacing(6);
    if (!panel.picture.empty()) {
        QPixmap picture(qt(panel.picture));
        if (!picture.isNull()) {
            auto* label = new QLabel(card);
            double const ratio = devicePixelRatioF();
            picture = picture.scaled(QSize(380, 180) * ratio, Qt::KeepAspectRatio, Qt::SmoothTransformation);
            picture.setDevicePixelRatio(ratio);
            label->setPixmap(picture);
            layout->addWidget(label);
        }
    }
    auto* head = new QHBoxLayout();
    head->setSpacing(8);
    auto* mark = new QLabel(card);
    auto const draw = [this, mark, name = qt(panel.icon.empty() ? std::string("room") : panel.icon)] {
        mark->setPixmap(icon_pixmap(name, 20, ThemeNotifier::instance().theme().accent, devicePixelRatioF()));
    };
    draw();
    connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, mark, draw);
    head->addWidget(mark);
    head->addWidget(make_label(qt(schema.title), "", card, 13, QFont::DemiBold), 1);
    layout->addLayout(head);
    auto* summary = make_label(qt(schema.summary), "", card);
    summary->setWordWrap(true);
    layout->addWidget(summary);
    auto* paper =
        make_label(QStringLiteral("%1, %2").arg(qt(schema.method_name), qt(schema.venue)), "secondary", card, 11);
    paper->setToolTip(qt(schema.paper_title));
    layout->addWidget(paper);
    auto* buttons = new QHBoxLayout();
    buttons->setSpacing(6);
    auto* open = make_button(QStringLiteral("Open room"), QStringLiteral("welcome.room.") + slug, card);
    connect(open, &QPushButton::clicked, this, [this, &schema] {
        (void)m_commands.execute(CommandCall{"room", {schema.slug}});
    });
    buttons->addWidget(open);
    for (Sample const& sample : panel.samples) {
        auto* button = make_button(QStringLiteral("Sample: %1").arg(qt(sample.title)),
                                   QStringLiteral("welcome.sample.%1.%2").arg(slug, qt(sample.name)), card);
        button->setToolTip(qt(sample.summary));
        button->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
        button->setMinimumWidth(80);
        connect(button, &QPushButton::clicked, this, [this, &schema, &sample] {
            (void)m_commands.execute(CommandCall{"sample", {schema.slug, sample.name}});
        });
        buttons->addWidget(button);
        if (buttons->count() == 3) break;
    }
    buttons->addStretch(1);
    layout->addSpacing(4);
    layout->addLayout(buttons);
    layout->addStretch(1);
    return card;
}

void WelcomePage::show_recent(QStringList const& files) {
    while (QLayoutItem* item = m_recent->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    m_recent_box->setVisible(!files.isEmpty());
    if (files.isEmpty()) return;
    m_recent->addWidget(make_label(QStringLiteral("Recent files"), "heading", m_recent_box, 16, QFont::DemiBold));
    for (QString const& file : files.mid(0, 6)) {
        QString const name = QFileInfo(file).fileName();
        auto* button =
            make_quiet_button(QStringLiteral("%1    %2").arg(name, QFileInfo(file).path()), QStringLiteral("file"),
                              QStringLiteral("welcome.recent.") + name, m_recent_box);
        connect(button, &QToolButton::clicked, this, [this, file] {
            (void)m_commands.execute(CommandCall{"open", {file.toStdString()}});
        });
        m_recent->addWidget(button, 0, Qt::AlignLeft);
    }
}

}  // namespace orrery
