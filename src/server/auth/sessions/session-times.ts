/** How long a session lasts: seven days after its last renewal, thirty after its beginning however busy it is. */
const dayMs = 24 * 60 * 60 * 1000;
export const sessionIdleMs = 7 * dayMs;
export const sessionAbsoluteMs = 30 * dayMs;

export interface SessionTimes {
  createdAt: Date;
  /** End of the idle time; never beyond the absolute end. */
  expiresAt: Date;
}

export function absoluteEnd(createdAt: Date): Date {
  return new Date(createdAt.getTime() + sessionAbsoluteMs);
}

/** The expiry of a session that is renewed now. */
export function renewedExpiry(createdAt: Date, now: Date): Date {
  const end = absoluteEnd(createdAt);
  const idle = new Date(now.getTime() + sessionIdleMs);
  return idle < end ? idle : end;
}

/** Whether a session has ended, or is in the second half of its idle time and can still be made longer: a matter for the record then. */
export function isSessionDue({ createdAt, expiresAt }: SessionTimes, now: Date): boolean {
  if (expiresAt <= now) return true;
  const isLate = expiresAt.getTime() - now.getTime() <= sessionIdleMs / 2;
  return isLate && expiresAt < absoluteEnd(createdAt);
}
