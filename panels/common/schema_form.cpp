#include "panels/common/schema_form.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "panels/common/labels.h"
#include "panels/common/text.h"
#include "renderers/theme_style.h"

namespace orrery {

namespace {

// Label column: wide enough for the words that schemas use, narrow enough to leave room for a number and its unit.
constexpr int label_width = 112;

// Help, range, default, citation, and the name that commands and the command line use.
QString tool_tip(Parameter const& parameter) {
    QStringList lines;
    lines << QStringLiteral("<b>%1</b>").arg(qt(parameter.label).toHtmlEscaped());
    if (!parameter.help.empty()) lines << qt(parameter.help).toHtmlEscaped();
    QStringList facts;
    if (std::string const range = range_text(parameter); !range.empty()) facts << qt(range).toHtmlEscaped();
    if (!parameter.default_value.is_null()) {
        QString const value = parameter.default_value.is_string() ? qt(parameter.default_value.get<std::string>())
                                                                  : qt(parameter.default_value.dump());
        facts << QStringLiteral("default %1").arg(value.toHtmlEscaped());
    }
    if (!parameter.citation.empty()) facts << QStringLiteral("paper: %1").arg(qt(parameter.citation).toHtmlEscaped());
    if (!facts.isEmpty()) lines << facts.join(QStringLiteral(" · "));
    QString flag = qt(parameter.name);
    flag.replace('_', '-');
    lines << QStringLiteral("<code>--%1</code>").arg(flag);
    return QStringLiteral("<qt><div style='max-width:320px'>%1</div></qt>").arg(lines.join(QStringLiteral("<br/>")));
}

}  // namespace

SchemaForm::SchemaForm(std::string slug, VerbSchema const& verb, CommandBus& commands, Options options, QWidget* parent)
    : QWidget(parent), m_slug(std::move(slug)), m_verb(verb), m_commands(commands), m_options(std::move(options)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 8, 12, 8);
    layout->setSpacing(6);
    std::vector<Parameter const*> plain, advanced;
    for (Parameter const& parameter : verb.parameters) {
        auto const& hidden = m_options.hidden;
        if (std::find(hidden.begin(), hidden.end(), parameter.name) != hidden.end()) continue;
        (parameter.advanced ? advanced : plain).push_back(&parameter);
    }
    add_rows(layout, plain);
    if (!advanced.empty()) {
        m_more = new QToolButton(this);
        m_more->setText(QStringLiteral("More"));
        m_more->setObjectName(qt(m_slug + ".more." + verb.name));
        m_more->setAccessibleName(QStringLiteral("More settings"));
        m_more->setCheckable(true);
        m_more->setProperty("quiet", true);
        m_more->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        m_more->setArrowType(Qt::RightArrow);
        layout->addWidget(m_more);
        m_more_page = new QWidget(this);
        auto* more_layout = new QVBoxLayout(m_more_page);
        more_layout->setContentsMargins(0, 0, 0, 0);
        more_layout->setSpacing(6);
        add_rows(more_layout, advanced);
        m_more_page->setVisible(false);
        layout->addWidget(m_more_page);
        connect(m_more, &QToolButton::toggled, this, &SchemaForm::set_more_open);
    }
    layout->addStretch(1);
    show_values(Json::object());
}

void SchemaForm::add_rows(QVBoxLayout* layout, std::vector<Parameter const*> const& parameters) {
    // Groups in the order of their first parameter, the one without a heading first.
    std::vector<std::string> groups{""};
    for (Parameter const* parameter : parameters)
        if (std::find(groups.begin(), groups.end(), parameter->group) == groups.end())
            groups.push_back(parameter->group);
    for (std::string const& group : groups) {
        bool heading = !group.empty();
        for (Parameter const* parameter : parameters) {
            if (parameter->group != group) continue;
            if (heading) {
                auto* label = make_label(qt(group), "secondary", this, 11, QFont::DemiBold);
                layout->addSpacing(4);
                layout->addWidget(label);
                heading = false;
            }
            add_row(layout, *parameter);
        }
    }
}

void SchemaForm::add_row(QVBoxLayout* layout, Parameter const& parameter) {
    Row row;
    row.parameter = &parameter;
    row.container = new QWidget(this);
    if (m_options.create_editor) row.editor = m_options.create_editor(parameter, row.container);
    if (row.editor == nullptr) row.editor = make_editor(parameter, row.container);
    QString const name = qt(m_slug + ".form." + parameter.name);
    row.editor->setObjectName(name + QStringLiteral(".editor"));
    QWidget* field = row.editor->focus_widget();
    field->setObjectName(name);
    field->setAccessibleName(qt(parameter.label) +
                             (parameter.unit.empty() ? QString() : QStringLiteral(", ") + qt(parameter.unit)));
    field->setAccessibleDescription(qt(parameter.help));
    row.label = new QLabel(qt(parameter.label), row.container);
    row.label->setBuddy(field);
    row.label->setWordWrap(true);
    row.container->setToolTip(tool_tip(parameter));
    row.error = make_label({}, "error", row.container, 11);
    row.error->setObjectName(name + QStringLiteral(".error"));
    row.error->setWordWrap(true);
    row.error->setVisible(false);

    auto* outer = new QVBoxLayout(row.container);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(3);
    if (row.editor->wants_full_width()) {
        outer->addWidget(row.label);
        outer->addWidget(row.editor);
    } else {
        auto* line = new QHBoxLayout();
        line->setSpacing(8);
        row.label->setFixedWidth(label_width);
        line->addWidget(row.label);
        line->addWidget(row.editor, 1);
        outer->addLayout(line);
    }
    outer->addWidget(row.error);
    layout->addWidget(row.container);
    connect(row.editor, &ParameterEditor::edited, this,
            [this, &parameter](QStringList const& arguments) { issue(parameter, arguments); });
    m_rows.insert(qt(parameter.name), row);
}

void SchemaForm::issue(Parameter const& parameter, QStringList const& arguments) {
    CommandCall call{"set", {m_slug + "." + parameter.name}};
    for (QString const& argument : arguments) call.arguments.push_back(argument.toStdString());
    auto const done = m_commands.execute(call);
    show_error(parameter.name, done.ok() ? QString() : qt(done.error().message()));
}

void SchemaForm::show_values(Json const& values) {
    for (Row& row : m_rows) {
        auto const found = values.find(row.parameter->name);
        Json const& value = found != values.end() && !found->is_null() ? *found : row.parameter->default_value;
        row.editor->show_value(value);
        show_default_mark(row, value);
    }
}

// A value that is not the default has its label in the heavier face, so that one glance tells what was touched.
void SchemaForm::show_default_mark(Row& row, Json const& value) {
    QFont font = row.label->font();
    font.setWeight(value == row.parameter->default_value ? QFont::Normal : QFont::DemiBold);
    row.label->setFont(font);
}

void SchemaForm::show_error(std::string const& parameter, QString const& text) {
    auto const found = m_rows.find(qt(parameter));
    if (found == m_rows.end()) return;
    if (!text.isEmpty() && found->parameter->advanced) set_more_open(true);
    found->error->setText(text);
    found->error->setVisible(!text.isEmpty());
    QWidget* field = found->editor->focus_widget();
    set_property(*field, "invalid", !text.isEmpty());
}

void SchemaForm::clear_errors() {
    for (auto row = m_rows.begin(); row != m_rows.end(); ++row)
        if (!row->error->text().isEmpty()) show_error(row.key().toStdString(), QString());
}

QString SchemaForm::error(std::string const& parameter) const {
    auto const found = m_rows.find(qt(parameter));
    return found == m_rows.end() ? QString() : found->error->text();
}

bool SchemaForm::has_errors() const {
    return std::any_of(m_rows.begin(), m_rows.end(), [](Row const& row) { return !row.error->text().isEmpty(); });
}

void SchemaForm::focus(std::string const& parameter) {
    auto const found = m_rows.find(qt(parameter));
    if (found == m_rows.end()) return;
    if (found->parameter->advanced) set_more_open(true);
    found->editor->focus_widget()->setFocus(Qt::OtherFocusReason);
}

bool SchemaForm::more_open() const { return m_more != nullptr && m_more->isChecked(); }

void SchemaForm::set_more_open(bool open) {
    if (m_more == nullptr) return;
    m_more->setChecked(open);
    m_more->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
    m_more_page->setVisible(open);
}

ParameterEditor* SchemaForm::editor(std::string const& parameter) const {
    auto const found = m_rows.find(qt(parameter));
    return found == m_rows.end() ? nullptr : found->editor;
}

}  // namespace orrery
