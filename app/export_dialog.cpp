#include "app/export_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/export_request.h"
#include "app/main_window.h"
#include "panels/common/labels.h"
#include "panels/common/room.h"
#include "panels/common/text.h"

namespace orrery {

namespace {

class ExportDialog : public QDialog {
public:
    ExportDialog(MainWindow& window, Room& room, QString const& name)
        : QDialog(&window), m_window(window), m_slug(room.slug()), m_things(room.exportables()) {
        setObjectName(QStringLiteral("export.window"));
        setAttribute(Qt::WA_DeleteOnClose);
        setWindowTitle(QStringLiteral("Export"));
        setMinimumWidth(460);
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(20, 16, 20, 16);
        layout->setSpacing(12);
        auto* form = new QFormLayout();
        form->setSpacing(8);
        form->setLabelAlignment(Qt::AlignLeft);
        m_what = named(new QComboBox(this), "export.what", "What");
        for (Exportable const& thing : m_things) m_what->addItem(thing.title, thing.name);
        if (int const index = m_what->findData(name); index >= 0) m_what->setCurrentIndex(index);
        m_format = named(new QComboBox(this), "export.format", "Format");
        m_width = named(new QDoubleSpinBox(this), "export.width", "Width");
        m_width->setRange(20, 2000);
        m_width->setDecimals(0);
        m_width->setSuffix(QStringLiteral(" mm"));
        m_width->setValue(180);
        m_dpi = named(new QSpinBox(this), "export.dpi", "Resolution");
        m_dpi->setRange(30, 2400);
        m_dpi->setSuffix(QStringLiteral(" dpi"));
        m_dpi->setValue(300);
        m_transparent = named(new QCheckBox(QStringLiteral("Transparent background"), this), "export.transparent",
                              "Transparent background");
        m_dark = named(new QCheckBox(QStringLiteral("Dark colours, for slides"), this), "export.dark", "Dark colours");
        auto* file = new QHBoxLayout();
        m_file = named(new QLineEdit(this), "export.file", "File");
        auto* choose = new QToolButton(this);
        choose->setText(QStringLiteral("…"));
        choose->setAccessibleName(QStringLiteral("Choose the file"));
        file->addWidget(m_file, 1);
        file->addWidget(choose);
        form->addRow(QStringLiteral("What"), m_what);
        form->addRow(QStringLiteral("Format"), m_format);
        form->addRow(QStringLiteral("Width"), m_width);
        form->addRow(QStringLiteral("Resolution"), m_dpi);
        form->addRow(QString(), m_transparent);
        form->addRow(QString(), m_dark);
        form->addRow(QStringLiteral("File"), file);
        layout->addLayout(form);
        m_error = make_label({}, "error", this);
        m_error->setObjectName(QStringLiteral("export.error"));
        m_error->setWordWrap(true);
        m_error->hide();
        layout->addWidget(m_error);
        auto* note =
            make_label(QStringLiteral("The file carries how it was made: drop it on the window and its run opens."),
                       "secondary", this, 11);
        note->setWordWrap(true);
        layout->addWidget(note);
        auto* buttons = new QHBoxLayout();
        buttons->addStretch(1);
        auto* cancel = make_button(QStringLiteral("Cancel"), QStringLiteral("export.cancel"), this);
        auto* write = make_button(QStringLiteral("Export"), QStringLiteral("export.write"), this, true);
        write->setDefault(true);
        buttons->addWidget(cancel);
        buttons->addWidget(write);
        layout->addLayout(buttons);
        connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
        connect(write, &QPushButton::clicked, this, [this] { write_file(); });
        connect(choose, &QToolButton::clicked, this, [this] { choose_file(); });
        connect(m_what, &QComboBox::currentIndexChanged, this, [this] { show_formats(); });
        connect(m_format, &QComboBox::currentIndexChanged, this, [this] { show_options(); });
        show_formats();
    }

private:
    template <class Widget>
    static Widget* named(Widget* widget, char const* name, char const* accessible) {
        widget->setObjectName(QString::fromLatin1(name));
        widget->setAccessibleName(QString::fromLatin1(accessible));
        return widget;
    }
    [[nodiscard]] Exportable const& thing() const {
        return m_things[static_cast<std::size_t>(std::max(0, m_what->currentIndex()))];
    }

    void show_formats() {
        Exportable const& it = thing();
        m_format->clear();
        if (it.figure || it.image) m_format->addItem(QStringLiteral("PNG picture"), QStringLiteral("png"));
        if (it.figure) {
            m_format->addItem(QStringLiteral("SVG drawing"), QStringLiteral("svg"));
            m_format->addItem(QStringLiteral("PDF drawing"), QStringLiteral("pdf"));
        }
        if (it.figure || it.table) m_format->addItem(QStringLiteral("CSV of the plotted data"), QStringLiteral("csv"));
        m_file->setText(QDir::home().filePath(qt(m_slug) + '-' + it.name + '.' + m_format->currentData().toString()));
        show_options();
    }

    void show_options() {
        QString const format = m_format->currentData().toString();
        bool const drawn = format != QLatin1String("csv");
        m_width->setEnabled(drawn);
        m_dpi->setEnabled(format == QLatin1String("png"));
        m_transparent->setEnabled(drawn);
        m_dark->setEnabled(drawn && thing().figure);
        int const dot = static_cast<int>(m_file->text().lastIndexOf('.'));
        if (dot > m_file->text().lastIndexOf('/')) m_file->setText(m_file->text().left(dot + 1) + format);
    }

    void choose_file() {
        auto* dialog = new QFileDialog(this, QStringLiteral("Export as"), m_file->text());
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setAcceptMode(QFileDialog::AcceptSave);
        dialog->setDefaultSuffix(m_format->currentData().toString());
        connect(dialog, &QFileDialog::fileSelected, m_file, &QLineEdit::setText);
        dialog->open();
    }

    void write_file() {
        ExportRequest request;
        request.room = m_slug;
        request.name = thing().name.toStdString();
        request.file = m_file->text().toStdString();
        if (auto const format = export_format_from(m_format->currentData().toString().toStdString()))
            request.format = *format;
        request.options.width_mm = m_width->value();
        request.options.dpi = m_dpi->value();
        request.options.transparent = m_transparent->isChecked() && m_transparent->isEnabled();
        request.options.dark = m_dark->isChecked() && m_dark->isEnabled();
        auto const done = m_window.commands().execute(CommandCall{"export", request.arguments()});
        if (done.ok()) {
            accept();
            return;
        }
        m_error->setText(qt(done.error().message()));
        m_error->show();
    }

    MainWindow& m_window;
    std::string m_slug;
    std::vector<Exportable> m_things;
    QComboBox* m_what = nullptr;
    QComboBox* m_format = nullptr;
    QDoubleSpinBox* m_width = nullptr;
    QSpinBox* m_dpi = nullptr;
    QCheckBox* m_transparent = nullptr;
    QCheckBox* m_dark = nullptr;
    QLineEdit* m_file = nullptr;
    QLabel* m_error = nullptr;
};

}  // namespace

void show_export_dialog(MainWindow& window, Room& room, QString const& name) {
    (new ExportDialog(window, room, name))->show();
}

}  // namespace orrery
