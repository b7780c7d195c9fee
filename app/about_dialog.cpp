#include "app/about_dialog.h"

#include <fmt/core.h>
#include <openssl/crypto.h>
#include <sqlite3.h>

#include <QDialog>
#include <QHBoxLayout>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <QPushButton>
#include <QTextBrowser>
#include <QThread>
#include <QVBoxLayout>

#include "app/main_window.h"
#include "app/status_line.h"
#include "core/base/version.h"
#include "panels/common/icons.h"
#include "panels/common/labels.h"
#include "panels/common/text.h"

namespace orrery {

namespace {

QString gl_text(QOpenGLFunctions& gl, GLenum name) {
    auto const* text = reinterpret_cast<char const*>(gl.glGetString(name));
    return text != nullptr ? QString::fromLatin1(text) : QStringLiteral("unknown");
}

QString graphics_markdown() {
    QOffscreenSurface surface;
    surface.create();
    QOpenGLContext context;
    if (!context.create() || !context.makeCurrent(&surface))
        return QStringLiteral(
            "OpenGL could not be started. Plots and 3-D views need OpenGL 3.2; software drawing "
            "(`LIBGL_ALWAYS_SOFTWARE=1`) works everywhere.\n");
    QOpenGLFunctions& gl = *context.functions();
    QString const text = QStringLiteral("- renderer: %1\n- vendor: %2\n- OpenGL: %3\n- shading language: %4\n")
                             .arg(gl_text(gl, GL_RENDERER), gl_text(gl, GL_VENDOR), gl_text(gl, GL_VERSION),
                                  gl_text(gl, GL_SHADING_LANGUAGE_VERSION));
    context.doneCurrent();
    return text;
}

QString about_markdown(MainWindow& window) {
    QString text = QStringLiteral("## This program\n\nOrrery %1, Apache License 2.0. Built %2-bit with GCC %3.\n\n")
                       .arg(QString::fromLatin1(version))
                       .arg(sizeof(void*) * 8)
                       .arg(QString::fromLatin1(__VERSION__));
    text += QStringLiteral("## Graphics\n\n") + graphics_markdown();
    text += QStringLiteral("\n## Machine\n\n- processor threads: %1\n- memory of the window: %2\n- workers: %3\n")
                .arg(QThread::idealThreadCount())
                .arg(bytes_text(resident_bytes()))
                .arg(window.session().worker_count());
    text += QStringLiteral("\n## Libraries\n\n| library | version | licence |\n|---|---|---|\n");
    auto const row = [&](char const* name, QString const& number, char const* licence) {
        text +=
            QStringLiteral("| %1 | %2 | %3 |\n").arg(QString::fromLatin1(name), number, QString::fromLatin1(licence));
    };
    row("Qt", QString::fromLatin1(qVersion()), "LGPL 3, linked dynamically");
    row("SQLite", QString::fromLatin1(sqlite3_libversion()), "public domain");
    row("OpenSSL", QString::fromLatin1(OpenSSL_version(OPENSSL_VERSION_STRING)), "Apache 2.0");
    row("nlohmann JSON",
        QStringLiteral("%1.%2.%3")
            .arg(NLOHMANN_JSON_VERSION_MAJOR)
            .arg(NLOHMANN_JSON_VERSION_MINOR)
            .arg(NLOHMANN_JSON_VERSION_PATCH),
        "MIT");
    row("fmt", QStringLiteral("%1.%2.%3").arg(FMT_VERSION / 10000).arg(FMT_VERSION / 100 % 100).arg(FMT_VERSION % 100),
        "MIT");
    row("Cairo", QStringLiteral("of the system"), "LGPL 2.1 / MPL 1.1, linked dynamically");
    row("VTK", QStringLiteral("loaded with the first 3-D view"), "BSD 3-clause");
    row("Dear ImGui, ImPlot", QStringLiteral("1.93"), "MIT");
    row("gemmi", QStringLiteral("of the system"), "MPL 2.0");
    row("LibTorch", QStringLiteral("2.11.0, in the workers alone"), "BSD 3-clause");
    row("Inter, JetBrains Mono", QStringLiteral("of the system"), "SIL Open Font License 1.1");
    text += QStringLiteral("\n## Methods, weights and data\n\n");
    for (PanelDescriptor const& panel : window.panels()) {
        text += QStringLiteral("**%1**: %2. %3 (%4).\n\n")
                    .arg(qt(panel.schema->title), qt(panel.schema->paper_title), qt(panel.schema->authors),
                         qt(panel.schema->venue));
        for (std::string const& licence : panel.schema->licences) text += QStringLiteral("- %1\n").arg(qt(licence));
        text += '\n';
    }
    return text;
}

}  // namespace

void show_about(MainWindow& window) {
    auto* dialog = new QDialog(&window);
    dialog->setObjectName(QStringLiteral("about.window"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(QStringLiteral("About Orrery"));
    dialog->resize(640, 620);
    auto* layout = new QVBoxLayout(dialog);
    layout->setContentsMargins(20, 16, 20, 16);
    layout->setSpacing(12);
    auto* head = new QHBoxLayout();
    auto* logo = new QLabel(dialog);
    logo->setPixmap(icon_pixmap(QStringLiteral("orrery"), 48, Qt::black, dialog->devicePixelRatioF()));
    head->addWidget(logo);
    head->addSpacing(8);
    head->addWidget(
        make_label(QStringLiteral("Orrery %1").arg(QString::fromLatin1(version)), "title", dialog, 20, QFont::DemiBold),
        1);
    layout->addLayout(head);
    auto* text = new QTextBrowser(dialog);
    text->setObjectName(QStringLiteral("about.text"));
    text->setAccessibleName(QStringLiteral("About Orrery"));
    text->setMarkdown(about_markdown(window));
    layout->addWidget(text, 1);
    auto* close = make_button(QStringLiteral("Close"), QStringLiteral("about.close"), dialog);
    QObject::connect(close, &QPushButton::clicked, dialog, &QDialog::accept);
    layout->addWidget(close, 0, Qt::AlignRight);
    dialog->show();
}

}  // namespace orrery
