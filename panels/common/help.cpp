#include "panels/common/help.h"

#include <QApplication>
#include <QClipboard>
#include <QDesktopServices>
#include <QDialog>
#include <QFile>
#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTextBrowser>
#include <QVBoxLayout>

#include "panels/common/labels.h"
#include "panels/common/panel.h"
#include "panels/common/text.h"
#include "renderers/theme.h"

namespace orrery {

namespace {

// What the schema says of each parameter, below the written help: made, so that it can't fall behind.
QString parameters_markdown(MethodSchema const& schema) {
    QString text = QStringLiteral("\n\n## Settings\n");
    for (VerbSchema const& verb : schema.verbs) {
        if (verb.parameters.empty()) continue;
        text +=
            QStringLiteral("\n### %1\n\n%2\n\n").arg(qt(verb.label.empty() ? verb.name : verb.label), qt(verb.summary));
        for (Parameter const& parameter : verb.parameters) {
            text += QStringLiteral("- **%1**").arg(qt(parameter.label));
            if (!parameter.unit.empty()) text += QStringLiteral(" (%1)").arg(qt(parameter.unit));
            text += QStringLiteral(": %1").arg(qt(parameter.help));
            if (!parameter.citation.empty()) text += QStringLiteral(" *%1*").arg(qt(parameter.citation));
            text += '\n';
        }
    }
    return text;
}

QDialog* make_window(PanelDescriptor const& panel, QString const& kind, QString const& title, QWidget* parent) {
    QString const name = qt(panel.schema->slug) + '.' + kind + QStringLiteral(".window");
    // One window of each kind; asked for again, it comes to the front.
    if (auto* open = parent->findChild<QDialog*>(name)) {
        open->raise();
        open->activateWindow();
        return nullptr;
    }
    auto* dialog = new QDialog(parent);
    dialog->setObjectName(name);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    return dialog;
}

}  // namespace

void show_help(PanelDescriptor const& panel, QWidget* parent) {
    QDialog* dialog =
        make_window(panel, QStringLiteral("help"), QStringLiteral("Help: %1").arg(qt(panel.schema->title)), parent);
    if (dialog == nullptr) return;
    dialog->resize(720, 680);
    auto* layout = new QVBoxLayout(dialog);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* browser = new QTextBrowser(dialog);
    browser->setObjectName(qt(panel.schema->slug) + QStringLiteral(".help.text"));
    browser->setFrameShape(QFrame::NoFrame);
    browser->setOpenExternalLinks(true);
    browser->document()->setDocumentMargin(24);
    QFile file(QString::fromUtf8(panel.help.path()));
    QString text;
    if (file.open(QIODevice::ReadOnly)) text = QString::fromUtf8(file.readAll());
    browser->setMarkdown(text + parameters_markdown(*panel.schema));
    layout->addWidget(browser);
    dialog->show();
}

void show_citation(PanelDescriptor const& panel, QWidget* parent) {
    MethodSchema const& schema = *panel.schema;
    QDialog* dialog =
        make_window(panel, QStringLiteral("cite"), QStringLiteral("Cite: %1").arg(qt(schema.title)), parent);
    if (dialog == nullptr) return;
    dialog->resize(640, 420);
    auto* layout = new QVBoxLayout(dialog);
    layout->setContentsMargins(24, 20, 24, 16);
    layout->setSpacing(8);
    auto* title = make_label(qt(schema.paper_title), "heading", dialog, 16, QFont::DemiBold);
    title->setWordWrap(true);
    layout->addWidget(title);
    auto* authors = make_label(qt(schema.authors), "", dialog);
    authors->setWordWrap(true);
    layout->addWidget(authors);
    layout->addWidget(
        make_label(QStringLiteral("%1 · %2").arg(qt(schema.venue), QString::fromUtf8(panel.citation.identifier())),
                   "secondary", dialog));
    auto* bibtex = new QPlainTextEdit(qt(schema.bibtex), dialog);
    bibtex->setObjectName(qt(schema.slug) + QStringLiteral(".cite.bibtex"));
    bibtex->setAccessibleName(QStringLiteral("BibTeX"));
    bibtex->setReadOnly(true);
    bibtex->setFont(ThemeNotifier::instance().theme().monospaced());
    layout->addWidget(bibtex, 1);
    QStringList licences;
    for (std::string const& licence : schema.licences) licences << qt(licence);
    if (!licences.isEmpty()) {
        auto* label = make_label(licences.join('\n'), "secondary", dialog, 11);
        label->setWordWrap(true);
        layout->addWidget(label);
    }
    auto* buttons = new QHBoxLayout();
    auto* copy =
        make_button(QStringLiteral("Copy BibTeX"), qt(schema.slug) + QStringLiteral(".cite.copy"), dialog, true);
    QObject::connect(copy, &QPushButton::clicked, dialog, [copy, text = qt(schema.bibtex)] {
        QApplication::clipboard()->setText(text);
        copy->setText(QStringLiteral("Copied"));
    });
    buttons->addStretch(1);
    buttons->addWidget(copy);
    layout->addLayout(buttons);
    dialog->show();
}

}  // namespace orrery
