#include "core/learning/ppo.h"
#include "tests/catch.h"

#include <cmath>

using namespace orrery;
using namespace orrery::learning;

namespace {

PpoSettings small() {
    PpoSettings s;
    s.observations = 2;
    s.actions = 3;
    s.hidden = 16;
    s.environments = 16;
    s.learning_rate = 3e-3;
    return s;
}

// One step whose wanted action depends on what is observed: a round of it, and the mean reward.
double play(Ppo& ppo, Random& world) {
    std::size_t const count = ppo.settings().environments;
    std::vector<double> observations, rewards;
    for (std::size_t e = 0; e < 2 * count; ++e) observations.push_back(world.uniform() < 0.5 ? -1 : 1);
    std::vector<double> const& actions = ppo.act(observations);
    double mean = 0;
    for (std::size_t e = 0; e < count; ++e) {
        double distance = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            double const wanted = 0.5 * observations[2 * e] - 0.25 * observations[2 * e + 1];
            distance += std::pow(actions[3 * e + i] - wanted, 2);
        }
        rewards.push_back(-distance);
        mean -= distance / static_cast<double>(count);
    }
    ppo.reward(rewards, true);
    REQUIRE(ppo.learn(observations));
    return mean;
}

}  // namespace

TEST_CASE("PPO learns actions that depend on the observation") {
    Ppo ppo(small(), 1);
    Random world(2);
    double first = 0, last = 0;
    for (int k = 0; k < 600; ++k) {
        double const reward = play(ppo, world);
        (k < 20 ? first : last) += k < 20 || k >= 580 ? reward / 20 : 0;
    }
    INFO("mean reward " << first << " at first, " << last << " at last");
    CHECK(first < -1.5);
    CHECK(last > -0.1);
    PolicyNetwork::Activations a;
    double const observation[2] = {1, -1};
    ppo.network().forward(observation, a);
    for (double mean : a.mean) CHECK(std::abs(mean - 0.75) < 0.2);
}

TEST_CASE("a restored learner goes on with the same bits, a stopped one says so") {
    Ppo one(small(), 3), two(small(), 99);
    Random first(4), second(4);
    for (int k = 0; k < 5; ++k) play(one, first);
    for (int k = 0; k < 5; ++k) play(two, second);  // other weights, and the world's state alike
    two.restore(one.state());
    for (int k = 0; k < 5; ++k) CHECK(play(one, first) == play(two, second));
    CHECK(one.network().values() == two.network().values());
    std::vector<double> const observations(32, 0.0);
    one.act(observations);
    one.reward(std::vector<double>(16, 1.0), true);
    CHECK_FALSE(one.learn(observations, [] { return false; }));
}

TEST_CASE("the gradient of the loss is that of finite differences, with clipping on and off") {
    PpoSettings settings = small();
    settings.entropy_weight = 0.01;
    PolicyNetwork network(2, 8, 3);
    Random random(5);
    network.initialise(random);
    for (double& v : network.values()) v += 0.05 * random.normal();
    PpoSamples samples;
    for (int row = 0; row < 12; ++row) {
        for (int i = 0; i < 2; ++i) samples.observations.push_back(random.normal());
        for (int i = 0; i < 3; ++i) samples.actions.push_back(random.normal());
        samples.log_probability.push_back(-4 + 0.6 * random.normal());
        samples.value.push_back(0.3 * random.normal());
        samples.advantage.push_back(random.normal());
        samples.target.push_back(random.normal());
    }
    std::vector<std::size_t> const chosen = {0, 2, 3, 5, 7, 8, 11};
    std::vector<double> gradient, ignored;
    ppo_loss(network, samples, chosen, settings, gradient);
    double size = 0;
    for (std::size_t k = 0; k < network.values().size(); k += 7) {
        double const h = 1e-6, before = network.values()[k];
        network.values()[k] = before + h;
        double const up = ppo_loss(network, samples, chosen, settings, ignored).total;
        network.values()[k] = before - h;
        double const down = ppo_loss(network, samples, chosen, settings, ignored).total;
        network.values()[k] = before;
        CHECK(std::abs((up - down) / (2 * h) - gradient[k]) < 1e-6);
        size = std::max(size, std::abs(gradient[k]));
    }
    CHECK(size > 0.01);
}

TEST_CASE("orthogonal kernels are orthogonal") {
    PolicyNetwork network(2, 16, 3);
    Random random(6);
    network.initialise(random);
    PolicyNetwork::Part const& body = network.parts()[2];
    CHECK(body.name == "params/Dense_1/kernel");
    double const* w = network.values().data() + body.offset;
    for (std::size_t i = 0; i < 16; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = 0;
            for (std::size_t k = 0; k < 16; ++k) sum += w[i * 16 + k] * w[j * 16 + k];
            CHECK(std::abs(sum - (i == j ? 2.0 : 0.0)) < 1e-12);
        }
    }
}
