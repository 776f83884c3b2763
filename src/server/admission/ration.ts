const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

export interface RationLimits {
  perMinute: number;
  /** Of one tenant. */
  perTenant: number;
  /** Of all, for those that had none within the hour. */
  keptForOthers: number;
}

/**
 * So many uses a minute of something dear, of one tenant fewer, so that some have not taken it all before others ask, again and again.
 * Answers whether there may be one more.
 */
export function createRation(limits: RationLimits, clock: () => Date): (tenant: string) => boolean {
  const { perMinute, perTenant, keptForOthers } = limits;
  let taken: { tenant: string; at: number }[] = [];
  return (tenant) => {
    const now = clock().getTime();
    const isOwn = (one: { tenant: string }) => one.tenant === tenant;
    // A clock that was set back counts as time passed.
    const within = (ms: number) => taken.filter(({ at }) => Math.abs(now - at) < ms);
    taken = within(hourMs);
    const lately = within(minuteMs);
    const inAll = taken.some(isOwn) ? perMinute - keptForOthers : perMinute;
    if (lately.length >= inAll || lately.filter(isOwn).length >= perTenant) return false;
    taken.push({ tenant, at: now });
    return true;
  };
}
