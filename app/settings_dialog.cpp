#include "app/settings_dialog.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHeaderView>
#include <QKeySequenceEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTableWidget>
#include <QThread>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "app/main_window.h"
#include "app/menus.h"
#include "panels/common/labels.h"

namespace orrery {

namespace {

template <class Widget>
Widget* named(Widget* widget, char const* name, char const* accessible) {
    widget->setObjectName(QString::fromLatin1(name));
    widget->setAccessibleName(QString::fromLatin1(accessible));
    return widget;
}

QTableWidget* make_keys_table(MainWindow& window, QWidget* parent) {
    QStringList commands;
    for (auto action = window.menus().actions().begin(); action != window.menus().actions().end(); ++action)
        commands << action.key();
    commands.sort();
    auto* table = named(new QTableWidget(static_cast<int>(commands.size()), 3, parent), "settings.keys", "Keys");
    table->setHorizontalHeaderLabels({QStringLiteral("Menu entry"), QStringLiteral("Command"), QStringLiteral("Keys")});
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(30);
    table->setShowGrid(false);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setColumnWidth(0, 220);
    table->setColumnWidth(1, 170);
    table->horizontalHeader()->setStretchLastSection(true);
    for (int row = 0; row < commands.size(); ++row) {
        QString const command = commands[row];
        QAction const* action = window.menus().action(command);
        table->setItem(row, 0, new QTableWidgetItem(action->text().remove('&')));
        table->setItem(row, 1, new QTableWidgetItem(command));
        auto* keys = new QKeySequenceEdit(action->shortcut(), table);
        keys->setAccessibleName(QStringLiteral("Keys of %1").arg(action->text()));
        QObject::connect(keys, &QKeySequenceEdit::editingFinished, &window, [&window, keys, command] {
            std::string const text = keys->keySequence().toString(QKeySequence::PortableText).toStdString();
            (void)window.commands().execute(CommandCall{"shortcut", {command.toStdString(), text}});
        });
        table->setCellWidget(row, 2, keys);
    }
    return table;
}

}  // namespace

void show_settings(MainWindow& window) {
    if (auto* open = window.findChild<QDialog*>(QStringLiteral("settings.window"))) {
        open->raise();
        return;
    }
    auto* dialog = new QDialog(&window);
    dialog->setObjectName(QStringLiteral("settings.window"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(QStringLiteral("Settings"));
    dialog->resize(620, 560);
    auto* layout = new QVBoxLayout(dialog);
    layout->setContentsMargins(20, 16, 20, 16);
    layout->setSpacing(12);
    auto* form = new QFormLayout();
    form->setSpacing(8);
    auto const issue = [&window](std::string const& text) { (void)window.commands().execute(text); };

    auto* theme = named(new QComboBox(dialog), "settings.theme", "Theme");
    theme->addItem(QStringLiteral("Light"), QStringLiteral("light"));
    theme->addItem(QStringLiteral("Dark"), QStringLiteral("dark"));
    theme->setCurrentIndex(theme->findData(window.settings().theme()));
    QObject::connect(theme, &QComboBox::activated, dialog,
                     [issue, theme] { issue("theme " + theme->currentData().toString().toStdString()); });
    form->addRow(QStringLiteral("Theme"), theme);

    auto* scale = named(new QDoubleSpinBox(dialog), "settings.scale", "Text size");
    scale->setRange(0.8, 2.0);
    scale->setSingleStep(0.1);
    scale->setDecimals(1);
    scale->setValue(window.settings().text_scale());
    QObject::connect(scale, &QDoubleSpinBox::editingFinished, dialog, [issue, scale, &window] {
        if (std::abs(scale->value() - window.settings().text_scale()) > 1e-6)
            issue("scale " + QString::number(scale->value()).toStdString());
    });
    form->addRow(QStringLiteral("Text size"), scale);

    auto* threads = named(new QSpinBox(dialog), "settings.threads", "Processor threads of a job");
    threads->setRange(0, std::max(64, QThread::idealThreadCount()));
    threads->setSpecialValueText(QStringLiteral("all %1").arg(QThread::idealThreadCount()));
    threads->setValue(window.settings().threads());
    QObject::connect(threads, &QSpinBox::editingFinished, dialog, [issue, threads, &window] {
        if (threads->value() != window.settings().threads()) issue("threads " + std::to_string(threads->value()));
    });
    form->addRow(QStringLiteral("Threads of a job"), threads);

    auto* motion =
        named(new QCheckBox(QStringLiteral("Cameras glide to a new view"), dialog), "settings.animations", "Motion");
    motion->setChecked(window.settings().animations());
    QObject::connect(motion, &QCheckBox::clicked, dialog,
                     [issue](bool on) { issue(on ? "animations on" : "animations off"); });
    form->addRow(QStringLiteral("Motion"), motion);
    layout->addLayout(form);

    layout->addWidget(make_label(QStringLiteral("Keys"), "heading", dialog, 16, QFont::DemiBold));
    layout->addWidget(make_keys_table(window, dialog), 1);
    auto* close = make_button(QStringLiteral("Close"), QStringLiteral("settings.close"), dialog);
    QObject::connect(close, &QPushButton::clicked, dialog, &QDialog::accept);
    layout->addWidget(close, 0, Qt::AlignRight);

    // What an undo changes is shown here too.
    QObject::connect(&window.settings(), &Settings::changed, dialog, [=, &window](QString const&) {
        theme->setCurrentIndex(theme->findData(window.settings().theme()));
        scale->setValue(window.settings().text_scale());
        threads->setValue(window.settings().threads());
        motion->setChecked(window.settings().animations());
    });
    dialog->show();
}

}  // namespace orrery
