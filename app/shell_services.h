// What rooms see of the shell: RoomServices over the session, the command bus and the selection.
#pragma once

#include "app/session.h"
#include "panels/common/services.h"

namespace orrery {

class ShellServices : public RoomServices {
    Q_OBJECT
public:
    ShellServices(std::vector<PanelDescriptor> const& panels, Session& session, CommandBus& commands,
                  SelectionModel& selection, QObject* parent);

    CommandBus& commands() override { return m_commands; }
    SelectionModel& selection() override { return m_selection; }
    Result<std::string> submit(std::string const& method, std::string const& verb, Json const& parameters,
                               std::string const& title, bool helper) override;
    [[nodiscard]] std::optional<JobStatus> job(std::string const& id) const override { return m_session.job(id); }
    [[nodiscard]] std::vector<JobStatus> jobs(std::string const& method) const override;
    [[nodiscard]] double usual_seconds(std::string const& method, std::string const& verb) const override {
        return m_session.usual_seconds(method, verb);
    }
    void read_artifact(Artifact const& artifact, QObject* context,
                       std::function<void(Result<std::string>)> then) override {
        m_session.read_artifact(artifact, context, std::move(then));
    }
    void read_series(std::string const& job, std::string const& name, QObject* context,
                     std::function<void(std::vector<SeriesPoint>)> then) override {
        m_session.read_series(job, name, context, std::move(then));
    }
    void report(Error const& error) override { Q_EMIT reported(error); }
    void status(QString const& text) override { Q_EMIT status_given(text); }
    void export_dialog(std::string const& slug, QString const& exportable) override {
        Q_EMIT export_wanted(slug, exportable);
    }

signals:
    void reported(orrery::Error const& error);
    void status_given(QString const& text);
    void export_wanted(std::string const& slug, QString const& exportable);

private:
    std::vector<PanelDescriptor> const& m_panels;
    Session& m_session;
    CommandBus& m_commands;
    SelectionModel& m_selection;
};

}  // namespace orrery
