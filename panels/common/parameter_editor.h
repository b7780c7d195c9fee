// One field of a form. The standard ones are made from the schema (make_editor); a room may give its own for a
// parameter (Room::create_editor), e.g. chips that are dragged between two sides.
#pragma once

#include "core/base/schema.h"

#include <QStringList>
#include <QWidget>
#include <string>
#include <vector>

namespace orrery {

class ParameterEditor : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;
    // Shows a value of the parameter's type, or null for "no value". Emits nothing.
    virtual void show_value(Json const& value) = 0;
    // The widget that takes the keyboard and the red border of an error.
    virtual QWidget* focus_widget() { return this; }
    // True: the editor is wider than half a row and goes below its label.
    [[nodiscard]] virtual bool wants_full_width() const { return false; }

signals:
    // The user changed it: what follows `set <slug>.<parameter>`, one word for a plain value, one a line for a list,
    // none for "no value". Out-of-range text is passed on as typed; the command refuses it and the form shows why.
    void edited(QStringList const& arguments);
};

// Never null. Boolean: check box; integer and real: a line with the unit that steps with the arrow keys and the wheel
// when focused; choice: a box; file, directory: a line that takes drops with "Choose..."; lists: one a line.
ParameterEditor* make_editor(Parameter const& parameter, QWidget* parent);

// A value as the arguments of `set`, and back (types are settled by the schema's own validation).
[[nodiscard]] std::vector<std::string> value_to_arguments(Json const& value);
[[nodiscard]] Result<Json> value_from_arguments(Parameter const& parameter, std::vector<std::string> const& arguments);

}  // namespace orrery
