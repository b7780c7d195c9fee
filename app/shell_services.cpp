#include "app/shell_services.h"

namespace orrery {

ShellServices::ShellServices(std::vector<PanelDescriptor> const& panels, Session& session, CommandBus& commands,
                             SelectionModel& selection, QObject* parent)
    : RoomServices(parent), m_panels(panels), m_session(session), m_commands(commands), m_selection(selection) {
    connect(&session, &Session::job_changed, this, &RoomServices::job_changed);
    connect(&session, &Session::job_update, this, &RoomServices::job_update);
    connect(&session, &Session::job_series, this, &RoomServices::job_series);
    connect(&session, &Session::job_artifact, this, &RoomServices::job_artifact);
}

Result<std::string> ShellServices::submit(std::string const& method, std::string const& verb, Json const& parameters,
                                          std::string const& title, bool helper) {
    PanelDescriptor const* panel = find_panel(m_panels, method);
    VerbSchema const* schema = panel != nullptr ? panel->schema->verb(verb) : nullptr;
    if (schema == nullptr) return bad_input("there is no \"" + method + " " + verb + "\" in this program");
    JobSpec spec;
    spec.method = method;
    spec.verb = verb;
    ORRERY_TRY(spec.parameters, validate(*schema, parameters, false));
    spec.title = title;
    return m_session.submit(std::move(spec), helper);
}

std::vector<JobStatus> ShellServices::jobs(std::string const& method) const {
    std::vector<JobStatus> result;
    for (std::string const& id : m_session.order())
        if (auto status = m_session.job(id); status && status->spec.method == method)
            result.push_back(std::move(*status));
    return result;
}

}  // namespace orrery
