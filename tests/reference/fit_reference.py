"""Readable single-dataset reference of the recommended default (numpy + scipy.stats only). Not optimised; ~30 ms per call.
   analyse([(N, T), ...]) -> dict.   Everything is deterministic (no random numbers).
   `polish` ends the zoom with a solver, so that the threshold belongs to the true minimum; `local` is the fineness of the grid over a region.
   `q_max` is the end of the power law's grid, `amdahl` lists Amdahl's law, kept by USL's 99 % region (its curves are USL's at kappa = 0 and add nothing to the ranges): with q_max=1, amdahl=True
   the set of laws is that of the package."""
import numpy as np
from scipy import optimize, stats
CAL = {3: 0.69, 4: 0.485, 5: 0.686, 6: 0.527, 7: 0.681, 8: 0.564, 9: 0.68, 10: 0.589, 11: 0.679, 12: 0.603}
def clean_input(rows):
    good, bad = [], []
    for n, t in rows:
        try: n = float(n); t = float(t)
        except Exception: bad.append((n, t, 'not a number')); continue
        if not (np.isfinite(n) and np.isfinite(t)): bad.append((n, t, 'not finite'))
        elif t <= 0: bad.append((n, t, 'time must be > 0'))
        elif n < 1: bad.append((n, t, 'N must be >= 1'))
        elif n > 2**53: bad.append((n, t, 'N beyond 2^53: not exact in double'))
        else: good.append((n, t))
    return good, bad
def flags_outliers(groups):
    """groups: list of log-time arrays. flag repeats > 3.5 robust sd from the median of their N (needs r>=3 somewhere)"""
    E = [g-np.median(g) for g in groups]
    pool = np.concatenate([np.sort(np.abs(e))[(1 if len(e) % 2 else 0):]/CAL.get(len(e), .6745) for e in E if len(e) >= 3]) if any(len(e) >= 3 for e in E) else np.array([])
    if len(pool) < 3: return [np.zeros(len(g), bool) for g in groups], None
    s = max(np.median(pool), 1e-6); out = []
    for e in E:
        f = np.abs(e) > 3.5*s if len(e) >= 3 else np.zeros(len(e), bool)
        k = (len(e)-1)//2
        if f.sum() > k: idx = np.argsort(-np.abs(e))[:k]; g = np.zeros(len(e), bool); g[idx] = True; f &= g
        out.append(f)
    return out, s
def gN(N, fam): return N-1 if fam == 'usl' else np.zeros_like(N) if fam == 'amdahl' else np.log2(N)
def h(N, S, K, fam):
    if fam == 'roof': return S+(1-S)/np.minimum(N, K)
    if fam == 'pow': return N**-S
    return 1/N+S*(1-1/N)+K*gN(N, fam)
def sse_of(ybar, w, N, S, K, fam):
    H = np.log(h(N[None, :], S[:, None], K[:, None], fam)); R = ybar[None]-H; m = (R*w).sum(1)/w.sum(); return ((R-m[:, None])**2*w).sum(1), m
def refine(ybar, w, N, fam, rounds=7, q_max=1.6, polish=False):
    """grid, then zoom on the best cell -> (S,K) minimum; returns all visited points too (they form the region sample)"""
    Nm = N.max(); N2 = np.unique(N)
    if fam in ('usl', 'log'):
        s = np.r_[0, np.geomspace(1e-6, 1, 90)]; k = np.r_[0, np.geomspace(1e-8, .5, 80)]
    elif fam == 'roof': s = np.r_[0, np.geomspace(1e-5, .99, 60)]; k = np.geomspace(N2[1], N2[-2], 80)
    elif fam == 'amdahl': s = np.r_[0, np.geomspace(1e-6, 1, 800)]; k = np.array([0.])
    else: s = np.linspace(0, q_max, 801); k = np.array([0.])
    P = []
    for it in range(rounds):
        S, K = [x.ravel() for x in np.meshgrid(s, k, indexing='ij')]; q, m = sse_of(ybar, w, N, S, K, fam); P.append((S, K, q, m)); b = q.argmin()
        i, j = np.unravel_index(b, (len(s), len(k)))
        s = np.linspace(s[max(i-2, 0)], s[min(i+2, len(s)-1)], 31); k = np.linspace(k[max(j-2, 0)], k[min(j+2, len(k)-1)], 31) if len(k) > 1 else k
    if polish and fam in ('usl', 'log'):   # the zoom may stop beside the minimum of a narrow valley: finish with a solver, on the faces too
        S, K, q, m = [np.concatenate(x) for x in zip(*P)]; b = q.argmin()
        def r(x): H = np.log(h(N, x[0], x[1], fam)); d = ybar-H; return (d-(d*w).sum()/w.sum())*np.sqrt(w)
        def end(x, lo, up): return optimize.least_squares(r, np.clip(x, lo, up), bounds=(lo, up), x_scale=[.05, max(K[b], 1e-4)], xtol=1e-15, ftol=1e-15, gtol=1e-15).x
        tops = [end([S[b], K[b]+1e-9], [0, 0], [1, 10]), end([S[b]/2+1e-4, 2*K[b]+1e-4], [0, 0], [1, 10]), end([S[b], 0], [0, 0], [1, 1e-14])*[1, 0], end([0, K[b]+1e-6], [0, 0], [1e-14, 10])*[0, 1]]
        S, K = np.array(tops).T; P.append((S, K, *sse_of(ybar, w, N, S, K, fam)))
    return [np.concatenate(x) for x in zip(*P)]
def ceiling(S, K, fam):
    with np.errstate(all='ignore'):
        if fam == 'pow': return np.where(S > 0, np.inf, 1.), np.full_like(S, np.inf)
        if fam == 'roof': return 1/(S+(1-S)/K), K
        Ns = np.where(K > 0, np.sqrt(np.maximum(1-S, 0)/K) if fam == 'usl' else (1-S)*np.log(2)/K, np.inf); Ns = np.maximum(Ns, 1.)
        den = np.where(np.isfinite(Ns), h(np.where(np.isfinite(Ns), Ns, 2.), S, K, fam), S); return np.where(den > 0, 1/den, np.inf), Ns
def analyse(rows, targets=None, level=.95, retain=.99, gain=.10, cap=None, q_max=1.6, amdahl=False, polish=False, local=81):
    out = {'notes': []}; good, bad = clean_input(rows)
    if bad: out['notes'].append(f'rejected rows: {bad}')
    if not good: out['verdict'] = 'no usable data'; return out
    Nv = np.array([g[0] for g in good]); y = np.log([g[1] for g in good]); N = np.unique(Nv); m = len(N)
    groups = [y[Nv == n] for n in N]
    fl, s_rob = flags_outliers(groups)
    for n, g, f in zip(N, groups, fl):
        if f.any(): out['notes'].append(f'N={n:g}: {int(f.sum())} of {len(g)} runs flagged (> 3.5 robust sd) and left out: {np.round(np.exp(g[f]),4).tolist()}')
    groups = [g[~f] for g, f in zip(groups, fl)]; r = np.array([len(g) for g in groups], float); yb = np.array([g.mean() for g in groups])
    SSpe = sum(((g-g.mean())**2).sum() for g in groups); dfpe = int(r.sum()-m)
    out.update(N=N, T=np.exp(yb), r=r.astype(int), run_cv=(np.sqrt(SSpe/dfpe) if dfpe > 0 else None))
    if m == 1: out['verdict'] = f'all runs at N={N[0]:g}: nothing about scaling can be said; run cv={out["run_cv"]}'; return out
    # point efficiencies (no model)
    out['eff_vs_smallest'] = (np.exp(yb[0])*N[0])/(np.exp(yb)*N)
    if m == 2:
        e = (np.exp(yb[1]-yb[0])-N[0]/N[1])/(1-N[0]/N[1]); se = np.sqrt(SSpe/dfpe*(1/r[0]+1/r[1])) if dfpe > 0 else np.nan; t = stats.t.ppf(.5+level/2, dfpe) if dfpe > 0 else np.nan
        lo, hi = [(np.exp(yb[1]-yb[0]+s*t*se)-N[0]/N[1])/(1-N[0]/N[1]) for s in (-1, 1)]
        out['karp_flatt'] = (e, lo, hi); out['verdict'] = 'two distinct N: only the Karp-Flatt number of this pair can be stated; no ceiling, no trend. Measure a third and fourth N.'; return out
    w = r.copy(); fams = {'usl': 3, 'log': 3, 'pow': 2, 'roof': 3}
    if m < 4: fams.pop('roof')
    if amdahl: fams['amdahl'] = 2
    # superlinear test: free (signed) slope of efficiency: compare sigma>=0 with sigma free in the amdahl family
    R = {}
    for f, p in fams.items():
        S, K, q, mu = refine(yb, w, N, f, q_max=q_max, polish=polish); b = q.argmin(); dfb = m-p
        s2 = None; d = None
        if dfb > 0 and dfpe > 0:
            Fs = (q[b]/dfb)/(SSpe/dfpe) if SSpe > 0 else np.inf
            s2, d = ((q[b]+SSpe)/(dfb+dfpe), dfb+dfpe) if Fs <= 1 else (q[b]/dfb, dfb)
        elif dfb > 0: s2, d = q[b]/dfb, dfb
        elif dfpe > 0: s2, d = SSpe/dfpe, dfpe
        if s2 is None: continue
        s2 = max(s2, 1e-8)             # 0.01 % floor: clock/rounding
        R[f] = dict(S=S, K=K, q=q, b=b, s2=s2, d=d, thr=q[b]+s2*stats.f.ppf(level, 1, d), thr9=q[b]+s2*stats.f.ppf(retain, 1, d), lof=(q[b]/dfb/(SSpe/dfpe) if dfb > 0 and dfpe > 0 and SSpe > 0 else None), dfb=dfb)
    if 'usl' not in R: out['verdict'] = f'{m} distinct N and no repeats: fewer degrees of freedom than parameters; repeat the runs or add N'; return out
    best = min((f for f in R if f != 'amdahl'), key=lambda f: R[f]['q'][R[f]['b']]); keep = [f for f in R if f != 'amdahl' and R[f]['q'][R[f]['b']] <= R[best]['thr9']]
    if 'amdahl' in R and 'usl' in keep and R['amdahl']['q'][R['amdahl']['b']] <= R['usl']['thr9']: keep.append('amdahl')
    out['families'] = {f: dict(sse=R[f]['q'][R[f]['b']], kept=f in keep, sigma=R[f]['S'][R[f]['b']], kappa=R[f]['K'][R[f]['b']], sd=np.sqrt(R[f]['s2']), df=R[f]['d']) for f in R}
    # dense sample of each kept region: local grids around the region box (2 passes)
    for f in keep:
        z = R[f]; ok = z['q'] <= z['thr']; S, K, q = z['S'][ok], z['K'][ok], z['q'][ok]
        for _ in range(3):
            def box(v, other): 
                lo, hi = v.min(), v.max(); pad = .5*(hi-lo)+1e-9; return max(lo-pad, 0), hi+pad
            a, b2 = box(S, 1); c, d2 = box(K, 1); b2 = min(b2, 1.) if f != 'pow' else min(b2, q_max)
            sg = np.linspace(a, b2, local); kg = np.linspace(c, d2, local) if f not in ('pow', 'amdahl') else np.array([0.])
            if f == 'roof': kg = np.clip(kg, np.unique(N)[1], np.unique(N)[-2])
            SS, KK = [x.ravel() for x in np.meshgrid(sg, kg, indexing='ij')]; qq, _ = sse_of(yb, w, N, SS, KK, f); o2 = qq <= z['thr']
            S, K = np.r_[S, SS[o2]], np.r_[K, KK[o2]]
        z['RS'], z['RK'] = S, K
    def union(fn):
        v = [fn(R[f]['RS'], R[f]['RK'], f) for f in keep if f != 'amdahl']; return min(x.min() for x in v), max(x.max() for x in v)
    out['kept'] = keep; Nmax = N.max()
    hor = 4*Nmax                                   # horizon rule: never claim a LOWER bound beyond what the curve reaches at 4x the data
    Lc, Uc = union(lambda S, K, f: ceiling(S, K, f)[0]); Lh, _ = union(lambda S, K, f: h(1., S, K, f)/h(hor, S, K, f) if f != 'roof' else 1/h(hor, S, K, f))
    out['speedup_at_4x'] = union(lambda S, K, f: 1/h(hor, S, K, f)); out['ceiling_raw'] = (Lc, Uc)
    out['ceiling'] = (Lc if np.isfinite(Uc) else min(Lc, out['speedup_at_4x'][0] if not np.isfinite(Lc) else max(out['speedup_at_4x'][0], 0)), Uc)
    if np.isinf(Uc) and np.isfinite(Lc): out['ceiling'] = (min(Lc, hor), Uc)
    out['peakN'] = union(lambda S, K, f: ceiling(S, K, f)[1])
    for k in [f for f in keep if f in ('usl', 'log')]: out[f'sigma[{k}]'] = (R[k]['RS'].min(), R[k]['RS'].max()); out[f'kappa[{k}]'] = (R[k]['RK'].min(), R[k]['RK'].max())
    out['time_ratio_2x'] = union(lambda S, K, f: h(2*Nmax, S, K, f)/h(Nmax, S, K, f)); out['time_ratio_4x'] = union(lambda S, K, f: h(4*Nmax, S, K, f)/h(Nmax, S, K, f))
    lo, hi = out['time_ratio_2x']; lim = 1/(1+gain)
    out['doubling'] = 'yes' if hi <= lim else ('no' if lo >= lim else 'cannot tell')
    L, U = out['ceiling']
    out['ceiling_text'] = ('no ceiling visible: at least %.3gx' % L) if np.isinf(U) else (('%.3gx to %.3gx' % (L, U)) if U/L <= 3 else ('cannot tell: somewhere from %.3gx to %.3gx' % (L, U)))
    if out['T'][-1] >= .9*out['T'][0]*(1 if N[0] == 1 else 1):
        out['notes'].append('time does not fall with N (T(%g)/T(%g) = %.2f): is this weak scaling (work grows with N), a throughput column, or a program that does not scale? A fixed-work reading is shown only if you confirm it' % (N[-1], N[0], out['T'][-1]/out['T'][0])); out['doubling'] = 'not answered: input may not be fixed-work time'
    # superlinear: slope of log(T*N) vs log N significantly negative
    x = np.log(N); xb = (w*x).sum()/w.sum(); sl = (w*(x-xb)*(yb+x)).sum()/(w*(x-xb)**2).sum(); s2 = R[best]['s2']; se = np.sqrt(s2/(w*(x-xb)**2).sum())
    if sl < -stats.t.ppf(.975, R[best]['d'])*se: out['notes'].append(f'superlinear: N*T falls with N (slope {sl:+.3f} +- {se:.3f} per e-fold): cache/memory effect or a wrong N or work not held fixed; sigma is at its bound 0')
    if R[best]['lof'] and stats.f.sf(R[best]['lof'], R[best]['dfb'], dfpe) < .01: out['notes'].append(f'lack of fit: the curve misses the points by more than the repeats scatter (F={R[best]["lof"]:.1f}); intervals widened; look for a step (cores -> SMT, socket, node)')
    if m < 4: out['notes'].append('3 distinct N: the three-parameter curves cannot be checked against the data')
    # next measurement: largest predictive variance (leverage) among candidates, on the best 3-parameter family
    f = best if best in ('usl', 'log') else 'usl'; b = R[f]['b'] if f in R else None
    if b is not None:
        S0 = R[f]['S'][b]; K0 = max(R[f]['K'][b], np.percentile(R[f]['RK'], 50) if 'RK' in R[f] else 0, 1e-6); J = lambda n: np.stack([np.ones_like(n), (1-1/n)/h(n, S0, K0, f), gN(n, f)/h(n, S0, K0, f)], 1)
        A = (J(N)*w[:, None]).T@J(N); cand = np.unique(np.r_[N, 2*Nmax, 4*Nmax]); cand = cand[cand <= (cap or 2*Nmax)]; out['next_cap'] = float(cap or 2*Nmax); lev = np.einsum('nk,kl,nl->n', J(cand), np.linalg.pinv(A), J(cand)); out['next_N'] = float(cand[lev.argmax()]) if out['doubling'] == 'cannot tell' or U/max(L, 1e-9) > 3 else None
    return out
def _f(v):
    if isinstance(v, (tuple, np.ndarray)) or (isinstance(v, list) and v and not isinstance(v[0], str)): return [float('%.4g' % x) for x in v]
    return v if not isinstance(v, (float, np.floating)) else float('%.4g' % v)
def show(lab, rows, **k):
    o = analyse(rows, **k); print('\n##', lab)
    for key in ('verdict', 'run_cv', 'kept', 'sigma[usl]', 'kappa[usl]', 'ceiling', 'ceiling_text', 'peakN', 'time_ratio_2x', 'doubling', 'next_N', 'karp_flatt', 'eff_vs_smallest', 'notes'):
        v = o.get(key)
        if v is None or (isinstance(v, list) and not v): continue
        print('  ', key, ':', _f(v))
    return o
