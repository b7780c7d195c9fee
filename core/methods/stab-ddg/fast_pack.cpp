#include "core/methods/stab-ddg/fast_network.h"
#include "core/methods/stab-ddg/parameters.h"

#include <cstring>

namespace orrery::methods::stab_ddg {
namespace {

constexpr float message_scale = 30.0F;  // section 4: a constant, not the number of neighbours

class Packer {
public:
    explicit Packer(Parameters const& parameters) : m_parameters(parameters) {}

    [[nodiscard]] float const* data(std::string const& name) const { return m_parameters[name].data_ptr<float>(); }
    [[nodiscard]] std::size_t size(std::string const& name, int dimension) const {
        return static_cast<std::size_t>(m_parameters[name].size(dimension));
    }

    // Columns from `first` on, `inputs` of them (0: all).
    [[nodiscard]] PackedLinear linear(std::string const& name, bool bias, std::size_t first = 0,
                                      std::size_t inputs = 0) const {
        std::string weight = name + ".weight";
        std::size_t length = size(weight, 1);
        return pack_linear(data(weight), size(weight, 0), length, first, inputs == 0 ? length - first : inputs,
                           bias ? data(name + ".bias") : nullptr);
    }

    [[nodiscard]] FloatBuffer vector(std::string const& name, float divisor = 1.0F) const {
        std::size_t width = size(name, 0);
        FloatBuffer out(padded(width));
        for (std::size_t c = 0; c < width; ++c) out[c] = data(name)[c] / divisor;
        return out;
    }

    [[nodiscard]] Norm norm(std::string const& name) const {
        return {vector(name + ".weight"), vector(name + ".bias")};
    }

    [[nodiscard]] NodeUpdate node(std::string const& prefix) const {
        torch::Tensor scaled = (m_parameters[prefix + "W3.weight"] / message_scale).contiguous();
        auto width = static_cast<std::size_t>(scaled.size(0));
        NodeUpdate update;
        update.w3 = pack_linear(scaled.data_ptr<float>(), width, width, 0, width, nullptr);
        update.w3_bias = vector(prefix + "W3.bias", message_scale);
        update.norm1 = norm(prefix + "norm1");
        update.norm2 = norm(prefix + "norm2");
        update.widen = linear(prefix + "dense.W_in", true);
        update.narrow = linear(prefix + "dense.W_out", true);
        return update;
    }

    // rows of `table` (count x hidden) padded to the stride
    [[nodiscard]] static FloatBuffer padded_rows(torch::Tensor const& table) {
        torch::Tensor rows = table.contiguous();
        auto count = static_cast<std::size_t>(rows.size(0));
        auto width = static_cast<std::size_t>(rows.size(1));
        FloatBuffer out(count * padded(width));
        for (std::size_t r = 0; r < count; ++r) {
            std::memcpy(out.data() + r * padded(width), rows.data_ptr<float>() + r * width, width * sizeof(float));
        }
        return out;
    }

private:
    Parameters const& m_parameters;
};

}  // namespace

FastNetwork FastNetwork::pack(Parameters const& parameters, Kernels const& kernels) {
    torch::NoGradGuard no_grad;
    Packer packer(parameters);
    FastNetwork network;
    network.kernels = &kernels;
    network.hidden = static_cast<std::size_t>(parameters.hidden);
    network.stride = padded(network.hidden);
    std::size_t h = network.hidden;

    torch::Tensor embedding = parameters["features.edge_embedding.weight"];
    torch::Tensor classes =
        parameters["features.embeddings.linear.weight"].t() + parameters["features.embeddings.linear.bias"];  // 66 x 16
    network.position = Packer::padded_rows(classes.matmul(embedding.slice(1, 0, 16).t()));
    network.radial = packer.linear("features.edge_embedding", false, 16);
    network.norm_edges = packer.norm("features.norm_edges");
    network.edge_in = packer.linear("W_e", true);
    for (std::int64_t l = 0; l < parameters.encoder_layers; ++l) {
        std::string prefix = "encoder_layers." + std::to_string(l) + ".";
        EncoderWeights layer;
        layer.self1 = packer.linear(prefix + "W1", true, 0, h);
        layer.edge1 = packer.linear(prefix + "W1", false, h, h);
        layer.neighbour1 = packer.linear(prefix + "W1", false, 2 * h, h);
        layer.w2 = packer.linear(prefix + "W2", true);
        layer.node = packer.node(prefix);
        layer.self11 = packer.linear(prefix + "W11", true, 0, h);
        layer.edge11 = packer.linear(prefix + "W11", false, h, h);
        layer.neighbour11 = packer.linear(prefix + "W11", false, 2 * h, h);
        layer.w12 = packer.linear(prefix + "W12", true);
        layer.w13 = packer.linear(prefix + "W13", true);
        layer.norm3 = packer.norm(prefix + "norm3");
        network.encoder.push_back(std::move(layer));
    }
    for (std::int64_t l = 0; l < parameters.decoder_layers; ++l) {
        std::string prefix = "decoder_layers." + std::to_string(l) + ".";
        DecoderWeights layer;
        layer.self1 = packer.linear(prefix + "W1", false, 0, h);
        layer.edge1 = packer.linear(prefix + "W1", true, h, h);
        layer.neighbour1 = packer.linear(prefix + "W1", false, 3 * h, h);
        layer.w2 = packer.linear(prefix + "W2", true);
        auto columns = parameters[prefix + "W1.weight"].slice(1, 2 * parameters.hidden, 3 * parameters.hidden);
        layer.letter1 = Packer::padded_rows(parameters["W_s.weight"].matmul(columns.t()));
        layer.node = packer.node(prefix);
        network.decoder.push_back(std::move(layer));
    }
    network.out = packer.linear("W_out", true);
    return network;
}

}  // namespace orrery::methods::stab_ddg
