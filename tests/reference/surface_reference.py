"""The plain expression of every law and quantity, cell by cell in NumPy: what sw.surface must give, bit by bit."""

import numpy as np


def expression(law, quantity, args, n, *, scaling="strong", scale=None, dtype=np.float64):
    cast = lambda x: np.asarray(x, dtype=dtype)
    n = cast(n).reshape(1, -1)
    a = {k: cast(v).reshape(-1, 1) for k, v in args.items() if k != "growth"}
    one = dtype(1)
    s = one if scale is None else cast(scale).reshape(-1, 1)
    if "p" in a:
        x, y = one - a["p"], a["p"]
    elif "serial" in a and law in ("amdahl", "gustafson", "sun_ni"):
        x, y = a["serial"], one - a["serial"]
    with np.errstate(all="ignore"):
        if law == "amdahl":
            value = {
                "speedup": lambda: 1 / (x + y / n),
                "throughput": lambda: s / (x + y / n),
                "efficiency": lambda: 1 / (y + x * n),
                "time": lambda: (x + y / n) * s,
                "karp_flatt": lambda: x + 0 * n,
            }[quantity]()
        elif law == "gustafson":
            value = {
                "speedup": lambda: x + y * n,
                "throughput": lambda: (x + y * n) * s,
                "efficiency": lambda: y + x / n,
                "time": lambda: s / (x + y * n),
                "karp_flatt": lambda: x / (x + y * n),
            }[quantity]()
        elif law == "sun_ni":
            g = np.power(n, dtype(args["growth"])) if np.ndim(args["growth"]) == 0 else cast(args["growth"]).reshape(1, -1)
            value = {
                "speedup": lambda: (x + y * g) / (x + y * (g / n)),
                "throughput": lambda: s * (x + y * g) / (x + y * (g / n)),
                "efficiency": lambda: (x + y * g) / (y * g + x * n),
                "time": lambda: s * (x + y * (g / n)) / (x + y * g),
                "karp_flatt": lambda: x / (x + y * g),
            }[quantity]()
        elif law in ("usl", "usl_log"):
            sigma, kappa = a["sigma"], a["kappa"]
            last = n - 1 if law == "usl" else np.log2(n)
            den = 1 + sigma * (n - 1) + kappa * (n * last)
            if law == "usl":
                share = n
            else:
                share = np.where(n == 1, dtype(np.log2(np.e)), np.log2(n) * (n / (n - 1)))
            value = {
                "speedup": lambda: n / den,
                "throughput": lambda: s * n / den,
                "efficiency": lambda: 1 / den,
                "time": lambda: (1 / n + sigma * ((n - 1) / n) + kappa * last) * s,
                "karp_flatt": lambda: sigma + kappa * share,
            }[quantity]()
        else:
            serial = a.get("serial", cast(0).reshape(1, 1))
            compute, latency, transfer = a["compute"], a["latency"], a["transfer"]
            t1 = serial + compute
            weak = scaling == "weak"
            if law == "ring":
                kf = ((2 * latency + 2 * transfer * (1 / n)) if weak else ((serial + 2 * transfer) + 2 * latency * n))
                if weak:
                    total = t1 + latency * (2 * (n - 1)) + transfer * (2 * ((n - 1) / n))
                else:
                    total = serial + compute * (1 / n) + latency * (2 * (n - 1)) + transfer * (2 * ((n - 1) / n))
            else:
                h = np.ceil(np.log2(n.astype(np.longdouble))).astype(dtype)
                talk = (h > 0).astype(dtype)

                def reduce(w):
                    w = np.where(talk > 0, w, one)
                    c1 = np.where(talk > 0, 2 * w, dtype(0))
                    c2, c3 = 4 * h * w, 2 * np.sqrt(8 * h) * w
                    pipelined = transfer * c1 + latency * c2 + np.sqrt(latency * transfer) * c3
                    single = (transfer + latency) * (c1 + c2)
                    return np.where(2 * h * transfer < latency, single, pipelined)

                total = (t1 if weak else serial + compute * (1 / n)) + reduce(np.ones_like(n))
                kf = reduce(one / (n - 1)) if weak else serial + reduce(n / (n - 1))
            value = {
                "speedup": lambda: (t1 * n if weak else t1) / total,
                "throughput": lambda: ((t1 * s) * n if weak else t1 * s) / total,
                "efficiency": lambda: t1 / total if weak else t1 * (1 / n) / total,
                "time": lambda: total * (s / t1),
                "karp_flatt": lambda: kf * (1 / t1),
            }[quantity]()
    lengths = [len(v) for v in a.values()] + [np.size(s)]
    rows = 0 if 0 in lengths else max(lengths)
    return np.broadcast_to(value, (rows, n.shape[1])).astype(dtype)
