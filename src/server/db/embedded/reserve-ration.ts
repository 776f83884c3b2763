const minuteMs = 60_000;
/** An entry has some kilobytes at most: a reserve of 256 MB lasts for days. */
const perMinute = 16;
const perTenant = 4;
/** Of all, for those that had none within the minute. */
const keptForOthers = 8;

/**
 * What may be written of the storage reserve though it frees nothing: so many writes a minute, of one tenant fewer, so that enough is left
 * for deleting and signing in, and some have not taken it all before others ask. Answers whether one more may.
 */
export function createReserveRation(clock: () => Date): (tenant: string) => boolean {
  let taken: { tenant: string; at: number }[] = [];
  return (tenant) => {
    const now = clock().getTime();
    // A clock that was set back counts as time passed.
    taken = taken.filter(({ at }) => Math.abs(now - at) < minuteMs);
    const own = taken.filter((one) => one.tenant === tenant).length;
    const inAll = own === 0 ? perMinute : perMinute - keptForOthers;
    if (taken.length >= inAll || own >= perTenant) return false;
    taken.push({ tenant, at: now });
    return true;
  };
}
