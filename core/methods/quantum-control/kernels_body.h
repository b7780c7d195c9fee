// The loops of kernels.h, included by kernels_plain.cpp and kernels_avx2.cpp inside their own namespaces, so that each
// gets its instruction set. GCC's vectors of four doubles; two of them are the eight lanes.

using Four = double __attribute__((vector_size(32)));

struct Eight {
    Four low, high;
};

#define ORRERY_INLINE inline __attribute__((always_inline))

ORRERY_INLINE Eight load(double const* p) {
    return {*reinterpret_cast<Four const*>(p), *reinterpret_cast<Four const*>(p + 4)};
}
ORRERY_INLINE void store(double* p, Eight const& v) {
    *reinterpret_cast<Four*>(p) = v.low;
    *reinterpret_cast<Four*>(p + 4) = v.high;
}
ORRERY_INLINE Eight all(double v) { return {Four{v, v, v, v}, Four{v, v, v, v}}; }
ORRERY_INLINE Eight operator+(Eight const& a, Eight const& b) { return {a.low + b.low, a.high + b.high}; }
ORRERY_INLINE Eight operator*(Eight const& a, Eight const& b) { return {a.low * b.low, a.high * b.high}; }
ORRERY_INLINE void add_product(Eight& sum, Eight const& a, Eight const& b) {
    sum.low += a.low * b.low;
    sum.high += a.high * b.high;
}

struct Work {
    double *slots_now, *slots_then;  // slots at the two times in use
    double *channels, *slot_gradient, *channel_gradient;
    double *k, *stage[4], *mu, *sum, *back;
};

ORRERY_INLINE Work divide(Packed const& p, double* scratch) {
    Work w{};
    auto take = [&](std::size_t groups) {
        double* begin = scratch;
        scratch += groups * lanes;
        return begin;
    };
    w.slots_now = take(p.slots);
    w.slots_then = take(p.slots);
    w.channels = take(p.channels);
    w.slot_gradient = take(p.slots);
    w.channel_gradient = take(p.channels);
    w.k = take(p.components);
    for (double*& stage : w.stage) stage = take(p.components);
    w.mu = take(p.components);
    w.sum = take(p.components);
    w.back = take(p.components);
    return w;
}

// Slots that do not change in time, in both sets.
void static_slots(KernelRun const& run, Work const& w) {
    Packed const& p = *run.packed;
    Eight rate = load(run.rate_scale);
    for (std::size_t s = 0; s < p.slots; ++s) {
        Eight v = all(p.base[s]) + all(p.rate[s]) * rate;
        store(w.slots_now + s * lanes, v);
        store(w.slots_then + s * lanes, v);
    }
}

void channels_at(KernelRun const& run, Work const& w, std::size_t segment, double u) {
    Packed const& p = *run.packed;
    double const* c = run.coefficients + segment * p.channels * 4 * lanes;
    Eight time = all(u);
    for (std::size_t i = 0; i < p.channels; ++i, c += 4 * lanes) {
        Eight v = load(c + 3 * lanes);
        v = load(c + 2 * lanes) + v * time;
        v = load(c + lanes) + v * time;
        v = load(c) + v * time;
        store(w.channels + i * lanes, v);
    }
}

void slots_at(KernelRun const& run, Work const& w, std::size_t segment, double u, double* slots) {
    Packed const& p = *run.packed;
    channels_at(run, w, segment, u);
    Eight rate = load(run.rate_scale);
    for (std::size_t s = 0; s < p.changing; ++s) {
        Eight v = all(p.base[s]) + all(p.rate[s]) * rate;
        for (std::uint32_t t = p.channel_begin[s]; t < p.channel_begin[s + 1]; ++t) {
            add_product(v, all(p.channel_terms[t].weight), load(w.channels + p.channel_terms[t].feature * lanes));
        }
        store(slots + s * lanes, v);
    }
}

void derivative(Packed const& p, double const* slots, double const* y, double* k) {
    LinearOp const* op = p.linear.data();
    for (std::size_t d = 0; d < p.components; ++d) {
        Eight sum = all(0.0);
        for (LinearOp const* end = p.linear.data() + p.row_begin[d + 1]; op != end; ++op) {
            add_product(sum, load(slots + op->slot * lanes), load(y + op->source * lanes));
        }
        store(k + d * lanes, sum);
    }
    for (QuadraticOp const& q : p.quadratic) {
        Eight sum = load(k + q.destination * lanes);
        add_product(sum, load(slots + q.slot * lanes), load(y + q.first * lanes) * load(y + q.second * lanes));
        store(k + q.destination * lanes, sum);
    }
}

// out = y + h k
ORRERY_INLINE void step_to(std::size_t components, double const* y, Eight const& h, double const* k, double* out) {
    for (std::size_t d = 0; d < components * lanes; d += lanes) {
        Eight v = load(y + d);
        add_product(v, h, load(k + d));
        store(out + d, v);
    }
}

ORRERY_INLINE void copy(std::size_t components, double const* from, double* to) {
    for (std::size_t d = 0; d < components * lanes; d += lanes) store(to + d, load(from + d));
}

// Classical Runge-Kutta of order 4.
// The steps of one segment, from `state` to `state`; `path` takes the states before each step, or is null.
void integrate(KernelRun const& run, Work const& w, std::size_t segment, double* state, double* path) {
    Packed const& p = *run.packed;
    std::size_t const n = p.components;
    double *now = w.slots_now, *middle = w.slots_then;
    int const steps = run.steps[segment];
    double const u = run.lengths[segment] / steps;
    Eight h = all(u) * load(run.time_scale);
    Eight half = all(0.5) * h, sixth = all(1.0 / 6) * h, third = all(1.0 / 3) * h;
    slots_at(run, w, segment, 0, now);
    for (int i = 0; i < steps; ++i) {
        if (path != nullptr) {
            copy(n, state, path);
            path += n * lanes;
        }
        derivative(p, now, state, w.k);
        step_to(n, state, sixth, w.k, w.sum);
        step_to(n, state, half, w.k, w.stage[0]);
        slots_at(run, w, segment, (i + 0.5) * u, middle);
        derivative(p, middle, w.stage[0], w.k);
        step_to(n, w.sum, third, w.k, w.sum);
        step_to(n, state, half, w.k, w.stage[0]);
        derivative(p, middle, w.stage[0], w.k);
        step_to(n, w.sum, third, w.k, w.sum);
        step_to(n, state, h, w.k, w.stage[0]);
        slots_at(run, w, segment, (i + 1) * u, now);
        derivative(p, now, w.stage[0], w.k);
        step_to(n, w.sum, sixth, w.k, state);
    }
}

ORRERY_INLINE bool stopped(KernelRun const& run) { return run.go_on != nullptr && !run.go_on(run.asked); }

void forward(KernelRun const& run) {
    Packed const& p = *run.packed;
    Work const w = divide(p, run.scratch);
    static_slots(run, w);
    std::size_t const n = p.components, group = n * lanes;
    if (run.at_segments != nullptr) copy(n, run.state, run.at_segments);
    for (std::size_t segment = 0; segment < run.segments && !stopped(run); ++segment) {
        integrate(run, w, segment, run.state, nullptr);
        if (run.at_segments != nullptr) copy(n, run.state, run.at_segments + (segment + 1) * group);
    }
}

// back = (d derivative / d y)^T mu; slot_gradient += mu d derivative / d slots, of those that change.
void transpose(Packed const& p, double const* slots, double const* y, double const* mu, double* back,
               double* slot_gradient) {
    for (std::size_t d = 0; d < p.components * lanes; d += lanes) store(back + d, all(0.0));
    LinearOp const* op = p.linear.data();
    for (std::size_t d = 0; d < p.components; ++d) {
        Eight m = load(mu + d * lanes);
        for (LinearOp const* end = p.linear.data() + p.row_begin[d + 1]; op != end; ++op) {
            Eight b = load(back + op->source * lanes);
            add_product(b, load(slots + op->slot * lanes), m);
            store(back + op->source * lanes, b);
            if (op->slot >= p.changing) continue;
            Eight g = load(slot_gradient + op->slot * lanes);
            add_product(g, m, load(y + op->source * lanes));
            store(slot_gradient + op->slot * lanes, g);
        }
    }
    for (QuadraticOp const& q : p.quadratic) {
        Eight m = load(slots + q.slot * lanes) * load(mu + q.destination * lanes);
        Eight a = load(back + q.first * lanes);
        add_product(a, m, load(y + q.second * lanes));
        store(back + q.first * lanes, a);
        Eight b = load(back + q.second * lanes);
        add_product(b, m, load(y + q.first * lanes));
        store(back + q.second * lanes, b);
    }
}

// Takes the slot gradient of time u into that of the segment's coefficients, and clears it.
void collect(KernelRun const& run, Work const& w, std::size_t segment, double u) {
    Packed const& p = *run.packed;
    for (std::size_t c = 0; c < p.channels; ++c) store(w.channel_gradient + c * lanes, all(0.0));
    for (std::size_t s = 0; s < p.changing; ++s) {
        Eight g = load(w.slot_gradient + s * lanes);
        store(w.slot_gradient + s * lanes, all(0.0));
        for (std::uint32_t t = p.channel_begin[s]; t < p.channel_begin[s + 1]; ++t) {
            std::size_t const c = p.channel_terms[t].feature * lanes;
            Eight sum = load(w.channel_gradient + c);
            add_product(sum, all(p.channel_terms[t].weight), g);
            store(w.channel_gradient + c, sum);
        }
    }
    double* out = run.gradient + segment * p.channels * 4 * lanes;
    for (std::size_t c = 0; c < p.channels; ++c) {
        Eight g = load(w.channel_gradient + c * lanes);
        for (int power = 0; power < 4; ++power, out += lanes) {
            store(out, load(out) + g);
            g = g * all(u);
        }
    }
}

// adjoint += injected[segment]
ORRERY_INLINE void inject(KernelRun const& run, std::size_t segment) {
    if (run.injected == nullptr) return;
    std::size_t const n = run.packed->components;
    double const* more = run.injected + segment * n * lanes;
    for (std::size_t d = 0; d < n * lanes; d += lanes) store(run.adjoint + d, load(run.adjoint + d) + load(more + d));
}

void backward(KernelRun const& run) {
    Packed const& p = *run.packed;
    Work const w = divide(p, run.scratch);
    static_slots(run, w);
    std::size_t const n = p.components, group = n * lanes;
    for (std::size_t s = 0; s < p.slots; ++s) store(w.slot_gradient + s * lanes, all(0.0));
    for (std::size_t i = 0; i < run.segments * p.channels * 4; ++i) store(run.gradient + i * lanes, all(0.0));
    for (std::size_t segment = run.segments; segment-- > 0 && !stopped(run);) {
        copy(n, run.at_segments + segment * group, run.state);
        integrate(run, w, segment, run.state, run.path);
        inject(run, segment + 1);
        int const steps = run.steps[segment];
        double const u = run.lengths[segment] / steps;
        Eight h = all(u) * load(run.time_scale);
        Eight half = all(0.5) * h, sixth = all(1.0 / 6) * h, third = all(1.0 / 3) * h;
        for (int i = steps; i-- > 0;) {
            double const* y = run.path + static_cast<std::size_t>(i) * group;
            slots_at(run, w, segment, i * u, w.slots_now);
            derivative(p, w.slots_now, y, w.k);
            step_to(n, y, half, w.k, w.stage[1]);
            slots_at(run, w, segment, (i + 0.5) * u, w.slots_then);
            derivative(p, w.slots_then, w.stage[1], w.k);
            step_to(n, y, half, w.k, w.stage[2]);
            derivative(p, w.slots_then, w.stage[2], w.k);
            step_to(n, y, h, w.k, w.stage[3]);

            for (std::size_t d = 0; d < group; d += lanes) store(w.mu + d, sixth * load(run.adjoint + d));
            slots_at(run, w, segment, (i + 1) * u, w.slots_now);
            transpose(p, w.slots_now, w.stage[3], w.mu, w.back, w.slot_gradient);
            collect(run, w, segment, (i + 1) * u);
            copy(n, w.back, w.sum);
            for (std::size_t d = 0; d < group; d += lanes) {
                store(w.mu + d, third * load(run.adjoint + d) + h * load(w.back + d));
            }
            transpose(p, w.slots_then, w.stage[2], w.mu, w.back, w.slot_gradient);
            step_to(n, w.sum, all(1.0), w.back, w.sum);
            for (std::size_t d = 0; d < group; d += lanes) {
                store(w.mu + d, third * load(run.adjoint + d) + half * load(w.back + d));
            }
            transpose(p, w.slots_then, w.stage[1], w.mu, w.back, w.slot_gradient);
            collect(run, w, segment, (i + 0.5) * u);
            step_to(n, w.sum, all(1.0), w.back, w.sum);
            for (std::size_t d = 0; d < group; d += lanes) {
                store(w.mu + d, sixth * load(run.adjoint + d) + half * load(w.back + d));
            }
            slots_at(run, w, segment, i * u, w.slots_now);
            transpose(p, w.slots_now, y, w.mu, w.back, w.slot_gradient);
            collect(run, w, segment, i * u);
            for (std::size_t d = 0; d < group; d += lanes) {
                store(run.adjoint + d, load(run.adjoint + d) + load(w.sum + d) + load(w.back + d));
            }
        }
    }
    inject(run, 0);
}
