#include "panels/common/parameter_editor.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDropEvent>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>
#include <QWheelEvent>
#include <cmath>

#include "core/base/number.h"
#include "panels/common/text.h"

namespace orrery {

namespace {

QString value_text(Json const& value) {
    if (value.is_null()) return {};
    if (value.is_string()) return qt(value.get<std::string>());
    if (value.is_number_float()) return qt(number_text(value.get<double>()));
    return qt(value.dump());
}

QStringList local_paths(QMimeData const* data) {
    QStringList paths;
    for (QUrl const& url : data->urls())
        if (url.isLocalFile()) paths << url.toLocalFile();
    return paths;
}

// A line that says "edited" once for each change the user finished, and takes a dropped file as its text.
class LineEdit : public QLineEdit {
public:
    using QLineEdit::QLineEdit;
    std::function<void(int steps)> on_step;

protected:
    void keyPressEvent(QKeyEvent* event) override {
        if (on_step && (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down)) {
            int const size = event->modifiers().testFlag(Qt::ShiftModifier) ? 10 : 1;
            on_step(event->key() == Qt::Key_Up ? size : -size);
            return;
        }
        QLineEdit::keyPressEvent(event);
    }
    void wheelEvent(QWheelEvent* event) override {
        // Only with the focus: a wheel that scrolls the form must not change a number on its way.
        if (on_step && hasFocus() && event->angleDelta().y() != 0) {
            on_step(event->angleDelta().y() > 0 ? 1 : -1);
            event->accept();
            return;
        }
        event->ignore();
    }
};

class LineEditor : public ParameterEditor {
public:
    LineEditor(Parameter const& parameter, QWidget* parent) : ParameterEditor(parent), m_parameter(parameter) {
        auto* layout = new QHBoxLayout(this);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->setSpacing(4);
        m_line = new LineEdit(this);
        m_line->setPlaceholderText(placeholder());
        layout->addWidget(m_line, 1);
        if (!parameter.unit.empty()) {
            auto* unit = new QLabel(qt(parameter.unit), this);
            unit->setProperty("role", "secondary");
            layout->addWidget(unit);
        }
        if (is_number()) m_line->on_step = [this](int steps) { step(steps); };
        connect(m_line, &QLineEdit::editingFinished, this, &LineEditor::commit);
    }
    void show_value(Json const& value) override {
        m_shown = value_text(value);
        m_line->setText(m_shown);
        m_line->setCursorPosition(0);
    }
    QWidget* focus_widget() override { return m_line; }

protected:
    void commit() {
        QString const text = m_line->text().trimmed();
        if (text == m_shown) return;
        m_shown = text;
        Q_EMIT edited(text.isEmpty() ? QStringList{} : QStringList{text});
    }
    [[nodiscard]] bool is_number() const {
        return m_parameter.type == ParameterType::integer || m_parameter.type == ParameterType::real;
    }
    [[nodiscard]] QString placeholder() const {
        QString const otherwise = value_text(m_parameter.default_value);
        if (!otherwise.isEmpty()) return otherwise;
        return m_parameter.required ? QStringLiteral("required") : QStringLiteral("automatic");
    }
    void step(int steps) {
        bool number = false;
        double const now = m_line->text().trimmed().toDouble(&number);
        double step = m_parameter.step;
        if (step <= 0) step = m_parameter.type == ParameterType::integer ? 1 : real_step(number ? now : 0);
        double next = number ? now + steps * step
                             : (m_parameter.default_value.is_number() ? m_parameter.default_value.get<double>() : 0);
        next = std::min(std::max(next, m_parameter.minimum), m_parameter.maximum);
        m_line->setText(QString::number(next, 'g', 10));
        commit();
    }
    // A tenth of the number's leading digit: 1e-6 steps by 1e-7, 20 by 1.
    static double real_step(double value) {
        if (value == 0) return 0.1;
        return std::pow(10.0, std::floor(std::log10(std::abs(value))) - 1);
    }

    Parameter const& m_parameter;
    LineEdit* m_line = nullptr;
    QString m_shown;
};

class PathEditor : public LineEditor {
public:
    PathEditor(Parameter const& parameter, QWidget* parent) : LineEditor(parameter, parent) {
        auto* choose = new QToolButton(this);
        choose->setText(QStringLiteral("…"));
        choose->setToolTip(QStringLiteral("Choose %1").arg(directory() ? "a folder" : "a file"));
        choose->setAccessibleName(QStringLiteral("Choose %1").arg(qt(parameter.label)));
        layout()->addWidget(choose);
        connect(choose, &QToolButton::clicked, this, &PathEditor::choose_path);
        m_line->setAcceptDrops(false);
        setAcceptDrops(true);
    }

protected:
    [[nodiscard]] bool directory() const { return m_parameter.type == ParameterType::directory; }
    void choose_path() {
        auto* dialog = new QFileDialog(this, qt(m_parameter.label));
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setFileMode(directory() ? QFileDialog::Directory : QFileDialog::ExistingFile);
        if (!m_parameter.patterns.empty()) {
            QStringList patterns;
            for (std::string const& pattern : m_parameter.patterns) patterns << qt(pattern);
            dialog->setNameFilters({QStringLiteral("%1 (%2)").arg(qt(m_parameter.label), patterns.join(' ')),
                                    QStringLiteral("All files (*)")});
        }
        connect(dialog, &QFileDialog::fileSelected, this, [this](QString const& path) {
            m_line->setText(path);
            commit();
        });
        dialog->open();
    }
    void dragEnterEvent(QDragEnterEvent* event) override {
        if (local_paths(event->mimeData()).size() == 1) event->acceptProposedAction();
    }
    void dropEvent(QDropEvent* event) override {
        QStringList const paths = local_paths(event->mimeData());
        if (paths.size() != 1) return;
        m_line->setText(paths.first());
        commit();
        event->acceptProposedAction();
    }
};

class CheckEditor : public ParameterEditor {
public:
    CheckEditor(Parameter const& parameter, QWidget* parent) : ParameterEditor(parent) {
        auto* layout = new QHBoxLayout(this);
        layout->setContentsMargins(0, 0, 0, 0);
        m_box = new QCheckBox(this);
        m_box->setAccessibleName(qt(parameter.label));
        layout->addWidget(m_box);
        layout->addStretch(1);
        connect(m_box, &QCheckBox::clicked, this,
                [this](bool on) { Q_EMIT edited({on ? QStringLiteral("true") : QStringLiteral("false")}); });
    }
    void show_value(Json const& value) override { m_box->setChecked(value.is_boolean() && value.get<bool>()); }
    QWidget* focus_widget() override { return m_box; }

private:
    QCheckBox* m_box = nullptr;
};

class ComboBox : public QComboBox {
public:
    using QComboBox::QComboBox;

protected:
    void wheelEvent(QWheelEvent* event) override {
        if (hasFocus())
            QComboBox::wheelEvent(event);
        else
            event->ignore();
    }
};

class ChoiceEditor : public ParameterEditor {
public:
    ChoiceEditor(Parameter const& parameter, QWidget* parent) : ParameterEditor(parent) {
        auto* layout = new QHBoxLayout(this);
        layout->setContentsMargins(0, 0, 0, 0);
        m_box = new ComboBox(this);
        m_box->setFocusPolicy(Qt::StrongFocus);
        m_box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        m_box->setMinimumContentsLength(6);
        if (parameter.default_value.is_null()) m_box->addItem(QStringLiteral("automatic"), QString());
        for (Choice const& choice : parameter.choices)
            m_box->addItem(qt(choice.label.empty() ? choice.value : choice.label), qt(choice.value));
        layout->addWidget(m_box, 1);
        connect(m_box, &QComboBox::activated, this, [this](int index) {
            QString const value = m_box->itemData(index).toString();
            Q_EMIT edited(value.isEmpty() ? QStringList{} : QStringList{value});
        });
    }
    void show_value(Json const& value) override {
        m_box->setCurrentIndex(m_box->findData(value.is_string() ? qt(value.get<std::string>()) : QString()));
    }
    QWidget* focus_widget() override { return m_box; }

private:
    ComboBox* m_box = nullptr;
};

class LinesEdit : public QPlainTextEdit {
public:
    using QPlainTextEdit::QPlainTextEdit;
    std::function<void()> on_finished;
    std::function<void(QStringList const&)> on_files;

protected:
    void focusOutEvent(QFocusEvent* event) override {
        QPlainTextEdit::focusOutEvent(event);
        if (on_finished) on_finished();
    }
    void keyPressEvent(QKeyEvent* event) override {
        bool const commit = event->modifiers().testFlag(Qt::ControlModifier) &&
                            (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter);
        if (commit && on_finished)
            on_finished();
        else
            QPlainTextEdit::keyPressEvent(event);
    }
    [[nodiscard]] bool canInsertFromMimeData(QMimeData const* source) const override {
        return (on_files && source->hasUrls()) || QPlainTextEdit::canInsertFromMimeData(source);
    }
    void insertFromMimeData(QMimeData const* source) override {
        QStringList const paths = local_paths(source);
        if (on_files && !paths.isEmpty())
            on_files(paths);
        else
            QPlainTextEdit::insertFromMimeData(source);
    }
};

class LinesEditor : public ParameterEditor {
public:
    LinesEditor(Parameter const& parameter, QWidget* parent) : ParameterEditor(parent), m_parameter(parameter) {
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->setSpacing(4);
        m_text = new LinesEdit(this);
        m_text->setPlaceholderText(QStringLiteral("one a line"));
        m_text->setFixedHeight(m_text->fontMetrics().lineSpacing() * 4 + 14);
        m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
        m_text->setTabChangesFocus(true);
        m_text->on_finished = [this] { commit(); };
        layout->addWidget(m_text);
        if (parameter.type == ParameterType::file_list) add_file_button(layout);
    }
    void show_value(Json const& value) override {
        QStringList lines;
        if (value.is_array())
            for (Json const& item : value) lines << value_text(item);
        m_shown = lines;
        m_text->setPlainText(lines.join('\n'));
    }
    QWidget* focus_widget() override { return m_text; }
    [[nodiscard]] bool wants_full_width() const override { return true; }

private:
    void add_file_button(QVBoxLayout* layout) {
        m_text->on_files = [this](QStringList const& paths) { append(paths); };
        auto* add = new QPushButton(QStringLiteral("Add files…"), this);
        add->setProperty("quiet", true);
        layout->addWidget(add, 0, Qt::AlignLeft);
        connect(add, &QPushButton::clicked, this, [this] {
            auto* dialog = new QFileDialog(this, qt(m_parameter.label));
            dialog->setAttribute(Qt::WA_DeleteOnClose);
            dialog->setFileMode(QFileDialog::ExistingFiles);
            connect(dialog, &QFileDialog::filesSelected, this, &LinesEditor::append);
            dialog->open();
        });
    }
    void append(QStringList const& paths) {
        QStringList lines = current();
        lines << paths;
        m_text->setPlainText(lines.join('\n'));
        commit();
    }
    [[nodiscard]] QStringList current() const {
        QStringList lines;
        for (QString const& line : m_text->toPlainText().split('\n'))
            if (!line.trimmed().isEmpty()) lines << line.trimmed();
        return lines;
    }
    void commit() {
        QStringList const lines = current();
        if (lines == m_shown) return;
        m_shown = lines;
        Q_EMIT edited(lines);
    }

    Parameter const& m_parameter;
    LinesEdit* m_text = nullptr;
    QStringList m_shown;
};

}  // namespace

ParameterEditor* make_editor(Parameter const& parameter, QWidget* parent) {
    switch (parameter.type) {
        case ParameterType::boolean:
            return new CheckEditor(parameter, parent);
        case ParameterType::choice:
            return new ChoiceEditor(parameter, parent);
        case ParameterType::file:
        case ParameterType::directory:
            return new PathEditor(parameter, parent);
        case ParameterType::file_list:
        case ParameterType::text_list:
            return new LinesEditor(parameter, parent);
        case ParameterType::integer:
        case ParameterType::real:
        case ParameterType::text:
            break;
    }
    return new LineEditor(parameter, parent);
}

std::vector<std::string> value_to_arguments(Json const& value) {
    if (value.is_null()) return {};
    if (value.is_array()) {
        std::vector<std::string> arguments;
        for (Json const& item : value) arguments.push_back(value_text(item).toStdString());
        return arguments;
    }
    return {value_text(value).toStdString()};
}

Result<Json> value_from_arguments(Parameter const& parameter, std::vector<std::string> const& arguments) {
    if (arguments.empty()) return Json();
    bool const list = parameter.type == ParameterType::text_list || parameter.type == ParameterType::file_list;
    if (!list && arguments.size() > 1)
        return bad_input(parameter.label + " takes one value, not " + std::to_string(arguments.size()), {},
                         "put a text with blanks in quotes", parameter.name);
    VerbSchema one;
    one.name = "set";
    one.parameters = {parameter};
    Json given = Json::object();
    given[parameter.name] = list ? Json(arguments) : Json(arguments.front());
    // Files are looked at by whoever reads them, not here: a slow disk must not stop the window.
    ORRERY_TRY(Json validated, validate(one, given, false));
    return validated.at(parameter.name);
}

}  // namespace orrery
