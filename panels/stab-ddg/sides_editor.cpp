#include "panels/stab-ddg/sides_editor.h"

#include <QApplication>
#include <QDrag>
#include <QDropEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMimeData>
#include <QMouseEvent>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

namespace orrery::panels::stab_ddg {

namespace {
constexpr char const* chain_mime = "application/x-orrery-chain";
constexpr std::array<char const*, 3> row_titles = {"Side 1", "Side 2", "Ignore"};

// The names of one side in a text like "ABC" or, with longer names, "A1,A2".
std::vector<std::string> split_side(std::string const& side, std::vector<ChainChip> const& chains) {
    std::vector<std::string> names;
    if (side.find(',') != std::string::npos) {
        std::size_t start = 0;
        while (start <= side.size()) {
            std::size_t const end = std::min(side.find(',', start), side.size());
            names.push_back(side.substr(start, end - start));
            start = end + 1;
        }
        return names;
    }
    bool const whole = std::any_of(chains.begin(), chains.end(), [&](ChainChip const& c) { return c.name == side; });
    if (whole) return {side};
    for (char letter : side) names.emplace_back(1, letter);
    return names;
}
}  // namespace

// A chip: a small button that starts a drag when it is pulled.
class Chip : public QPushButton {
public:
    Chip(ChainChip const& chain, int row, QWidget* parent) : QPushButton(parent), m_name(chain.name) {
        setText(QString("%1  %2").arg(QString::fromStdString(chain.name)).arg(chain.residues));
        setObjectName(QString("stab-ddg.chain.%1").arg(QString::fromStdString(chain.name)));
        setAccessibleName(QString("Chain %1, %2 residues, %3")
                              .arg(QString::fromStdString(chain.name))
                              .arg(chain.residues)
                              .arg(row_titles[static_cast<std::size_t>(row)]));
        QString tip = QString("Chain %1, %2 residues. Drag it to another row, or click to move it on.")
                          .arg(QString::fromStdString(chain.name))
                          .arg(chain.residues);
        if (!chain.label_name.empty() && chain.label_name != chain.name)
            tip += QString(" mmCIF label: %1.").arg(QString::fromStdString(chain.label_name));
        setToolTip(tip);
        setCursor(Qt::OpenHandCursor);
        setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    }

protected:
    void mousePressEvent(QMouseEvent* event) override {
        m_pressed = event->position().toPoint();
        QPushButton::mousePressEvent(event);
    }
    void mouseMoveEvent(QMouseEvent* event) override {
        if ((event->buttons() & Qt::LeftButton) == 0) return;
        if ((event->position().toPoint() - m_pressed).manhattanLength() < QApplication::startDragDistance()) return;
        setDown(false);
        auto* mime = new QMimeData;
        mime->setData(chain_mime, QByteArray::fromStdString(m_name));
        auto* drag = new QDrag(this);
        drag->setMimeData(mime);
        drag->setPixmap(grab());
        drag->exec(Qt::MoveAction);
    }

private:
    std::string m_name;
    QPoint m_pressed;
};

class ChipRow : public QWidget {
public:
    ChipRow(int row, SidesEditor* editor) : QWidget(editor), m_row(row), m_editor(editor) {
        setAcceptDrops(true);
        setObjectName(QString("stab-ddg.sides.row%1").arg(row + 1));
        auto* layout = new QHBoxLayout(this);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->setSpacing(4);
        auto* title = new QLabel(row_titles[static_cast<std::size_t>(row)], this);
        title->setFixedWidth(52);
        layout->addWidget(title);
        m_chips = new QHBoxLayout;
        m_chips->setSpacing(4);
        layout->addLayout(m_chips);
        layout->addStretch(1);
        setMinimumHeight(30);
    }
    void clear() {
        while (QLayoutItem* item = m_chips->takeAt(0)) {
            if (item->widget() != nullptr) item->widget()->deleteLater();
            delete item;
        }
    }
    void add(ChainChip const& chain) {
        auto* chip = new Chip(chain, m_row, this);
        std::string const name = chain.name;
        QObject::connect(chip, &QPushButton::clicked, m_editor,
                         [this, name] { m_editor->move_chain(name, (m_row + 1) % 3); });
        m_chips->addWidget(chip);
    }

protected:
    void dragEnterEvent(QDragEnterEvent* event) override {
        if (event->mimeData()->hasFormat(chain_mime)) event->acceptProposedAction();
    }
    void dropEvent(QDropEvent* event) override {
        if (!event->mimeData()->hasFormat(chain_mime)) return;
        event->acceptProposedAction();
        m_editor->move_chain(event->mimeData()->data(chain_mime).toStdString(), m_row);
    }

private:
    int m_row;
    SidesEditor* m_editor;
    QHBoxLayout* m_chips = nullptr;
};

SidesEditor::SidesEditor(QWidget* parent) : ParameterEditor(parent) {
    setObjectName("stab-ddg.sides");
    setAccessibleName("Chains of the two sides");
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    for (int row = 0; row < 3; ++row) {
        m_rows[static_cast<std::size_t>(row)] = new ChipRow(row, this);
        layout->addWidget(m_rows[static_cast<std::size_t>(row)]);
    }
    m_hint = new QLabel("Open a structure first", this);
    layout->addWidget(m_hint);
    rebuild();
}

SidesEditor::~SidesEditor() = default;

void SidesEditor::set_chains(std::vector<ChainChip> chains) {
    m_chains = std::move(chains);
    m_row_of.assign(m_chains.size(), 2);
    show_value(m_value.empty() ? Json(nullptr) : Json(m_value));
}

void SidesEditor::show_value(Json const& value) {
    m_value = value.is_string() ? value.get<std::string>() : std::string();
    m_row_of.assign(m_chains.size(), 2);
    std::size_t const separator = m_value.find('_');
    if (separator != std::string::npos) {
        std::array<std::string, 2> const sides = {m_value.substr(0, separator), m_value.substr(separator + 1)};
        for (int side = 0; side < 2; ++side) {
            for (std::string const& name : split_side(sides[static_cast<std::size_t>(side)], m_chains)) {
                for (std::size_t c = 0; c < m_chains.size(); ++c)
                    if (m_chains[c].name == name) m_row_of[c] = side;
            }
        }
    }
    rebuild();
}

void SidesEditor::move_chain(std::string const& name, int row) {
    for (std::size_t c = 0; c < m_chains.size(); ++c) {
        if (m_chains[c].name != name || m_row_of[c] == row) continue;
        m_row_of[c] = row;
        // The chip that was clicked is deleted by the rebuild, so that happens after its click is over.
        QMetaObject::invokeMethod(
            this,
            [this] {
                rebuild();
                m_value = text();
                Q_EMIT edited(QStringList{QString::fromStdString(m_value)});
            },
            Qt::QueuedConnection);
        return;
    }
}

std::string SidesEditor::text() const {
    bool const single =
        std::all_of(m_chains.begin(), m_chains.end(), [](ChainChip const& chain) { return chain.name.size() == 1; });
    std::array<std::string, 2> sides;
    for (std::size_t c = 0; c < m_chains.size(); ++c) {
        if (m_row_of[c] > 1) continue;
        std::string& side = sides[static_cast<std::size_t>(m_row_of[c])];
        if (!side.empty() && !single) side += ',';
        side += m_chains[c].name;
    }
    return sides[0] + "_" + sides[1];
}

void SidesEditor::rebuild() {
    m_hint->setVisible(m_chains.empty());
    for (int row = 0; row < 3; ++row) {
        ChipRow* widget = m_rows[static_cast<std::size_t>(row)];
        widget->clear();
        widget->setVisible(!m_chains.empty());
        for (std::size_t c = 0; c < m_chains.size(); ++c)
            if (m_row_of[c] == row) widget->add(m_chains[c]);
    }
}

}  // namespace orrery::panels::stab_ddg
