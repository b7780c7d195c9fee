// The room before anything is loaded: what to drop here, samples one click away, a picture of a result.
#pragma once

#include <QWidget>

class QLabel;
class QVBoxLayout;

namespace orrery {

struct PanelDescriptor;

class EmptyPage : public QWidget {
    Q_OBJECT
public:
    EmptyPage(PanelDescriptor const& panel, QWidget* parent);
    void show_empty();
    void show_loading(QString const& name);

signals:
    void choose_wanted();
    void sample_wanted(QString const& name);

private:
    PanelDescriptor const& m_panel;
    QLabel* m_hint = nullptr;
    QWidget* m_offers = nullptr;
    void add_samples(QVBoxLayout* layout);
};

}  // namespace orrery
