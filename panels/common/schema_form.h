// The form of one verb, made from its schema: labels, units, ranges, tool tips with help and citation, groups, advanced
// parameters folded under "More". Each edit is issued as `set <slug>.<parameter> <value>` through the command bus, so
// it is logged and can be undone; an error that comes back is shown below the field.
#pragma once

#include "core/base/command.h"
#include "core/base/schema.h"
#include "panels/common/parameter_editor.h"

#include <QHash>
#include <QWidget>
#include <functional>
#include <string>
#include <vector>

class QLabel;
class QToolButton;
class QVBoxLayout;

namespace orrery {

class SchemaForm : public QWidget {
    Q_OBJECT
public:
    struct Options {
        std::vector<std::string> hidden;  // parameters shown elsewhere (input strip)
        // A room's own editor for a parameter; null: the standard one.
        std::function<ParameterEditor*(Parameter const&, QWidget* parent)> create_editor;
    };
    SchemaForm(std::string slug, VerbSchema const& verb, CommandBus& commands, Options options, QWidget* parent);

    // Sets every field from an object by parameter name (absent: default). Issues nothing.
    void show_values(Json const& values);
    // Below the field, in words; empty text clears. Unfolds "More" when the field is there.
    void show_error(std::string const& parameter, QString const& text);
    void clear_errors();
    [[nodiscard]] QString error(std::string const& parameter) const;
    [[nodiscard]] bool has_errors() const;
    void focus(std::string const& parameter);
    [[nodiscard]] bool more_open() const;
    void set_more_open(bool open);
    [[nodiscard]] ParameterEditor* editor(std::string const& parameter) const;

private:
    struct Row {
        Parameter const* parameter = nullptr;
        QWidget* container = nullptr;
        QLabel* label = nullptr;
        QLabel* error = nullptr;
        ParameterEditor* editor = nullptr;
    };
    void add_rows(QVBoxLayout* layout, std::vector<Parameter const*> const& parameters);
    void add_row(QVBoxLayout* layout, Parameter const& parameter);
    void issue(Parameter const& parameter, QStringList const& arguments);
    void show_default_mark(Row& row, Json const& value);

    std::string m_slug;
    VerbSchema const& m_verb;
    CommandBus& m_commands;
    Options m_options;
    QHash<QString, Row> m_rows;
    QToolButton* m_more = nullptr;
    QWidget* m_more_page = nullptr;
};

}  // namespace orrery
