import type { ReserveRation } from '../client.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

interface RationLimits {
  perMinute: number;
  perTenant: number;
  /** Of all, for those that had none within the hour. */
  keptForOthers: number;
}

/** About a kilobyte is written each time: a reserve of 256 MB lasts for more than a day. */
const rations: Record<ReserveRation['of'], RationLimits> = {
  exports: { perMinute: 16, perTenant: 4, keptForOthers: 8 },
  deletions: { perMinute: 32, perTenant: 8, keptForOthers: 16 },
  signIns: { perMinute: 64, perTenant: 4, keptForOthers: 32 },
};

/**
 * What may be written of the storage reserve though it frees nothing to speak of: of each kind so many writes a minute, of one tenant fewer, so that
 * enough is left for deleting, and some have not taken it all before others ask. Answers whether one more may.
 */
export function createReserveRations(clock: () => Date): (ration: ReserveRation) => boolean {
  const takenOf = new Map<ReserveRation['of'], { tenant: string; at: number }[]>();
  return ({ of, tenant }) => {
    const { perMinute, perTenant, keptForOthers } = rations[of];
    const now = clock().getTime();
    // A clock that was set back counts as time passed.
    const within = (ms: number) => (takenOf.get(of) ?? []).filter(({ at }) => Math.abs(now - at) < ms);
    const ofTenant = (one: { tenant: string }) => one.tenant === tenant;
    const taken = within(hourMs);
    const lately = within(minuteMs);
    takenOf.set(of, taken);
    const inAll = taken.some(ofTenant) ? perMinute - keptForOthers : perMinute;
    if (lately.length >= inAll || lately.filter(ofTenant).length >= perTenant) return false;
    taken.push({ tenant, at: now });
    return true;
  };
}
