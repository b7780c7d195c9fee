#include "panels/common/title_line.h"

#include <QHBoxLayout>
#include <QMenu>

#include "panels/common/labels.h"
#include "panels/common/panel.h"
#include "panels/common/text.h"

namespace orrery {

TitleLine::TitleLine(PanelDescriptor const& panel, QWidget* parent) : QFrame(parent) {
    setProperty("role", "strip");
    setFixedHeight(48);
    MethodSchema const& schema = *panel.schema;
    QString const slug = qt(schema.slug);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 0, 8, 0);
    layout->setSpacing(8);
    auto* title = make_label(qt(schema.title), "title", this, 20, QFont::DemiBold);
    title->setObjectName(slug + QStringLiteral(".title"));
    layout->addWidget(title);
    auto* summary = make_eliding_label(qt(schema.summary), "secondary", this);
    layout->addWidget(summary, 1);
    auto* cite =
        make_quiet_button(QStringLiteral("Cite"), QStringLiteral("quote"), slug + QStringLiteral(".cite"), this);
    cite->setToolTip(qt(schema.paper_title));
    auto* help =
        make_quiet_button(QStringLiteral("Help"), QStringLiteral("help"), slug + QStringLiteral(".help"), this);
    auto* parts =
        make_quiet_button(QStringLiteral("Layout"), QStringLiteral("layout"), slug + QStringLiteral(".layout"), this);
    auto* menu = new QMenu(parts);
    m_form = menu->addAction(QStringLiteral("Form"));
    m_results = menu->addAction(QStringLiteral("Results table"));
    for (QAction* action : {m_form, m_results}) action->setCheckable(true);
    parts->setMenu(menu);
    parts->setPopupMode(QToolButton::InstantPopup);
    for (QToolButton* button : {cite, help, parts}) layout->addWidget(button);
    connect(cite, &QToolButton::clicked, this, &TitleLine::cite_wanted);
    connect(help, &QToolButton::clicked, this, &TitleLine::help_wanted);
    connect(m_form, &QAction::triggered, this, [this](bool on) { Q_EMIT part_toggled(QStringLiteral("form"), on); });
    connect(m_results, &QAction::triggered, this,
            [this](bool on) { Q_EMIT part_toggled(QStringLiteral("results"), on); });
}

void TitleLine::set_parts(bool form_visible, bool results_visible) {
    m_form->setChecked(form_visible);
    m_results->setChecked(results_visible);
}

}  // namespace orrery
