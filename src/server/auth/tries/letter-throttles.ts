import { limits } from '#shared/limits.ts';
import { createWindowThrottle, type MonotonicClock, type Throttle } from './throttle.ts';

const dayMs = 24 * 60 * 60_000;

/** Letters to addresses that somebody has typed in: each may be a stranger's. They count whatever becomes of what they were about. */
export interface LetterThrottles {
  /** Links to a new email of the account. */
  emailLinks: Throttle;
  invitations: Throttle;
}

export function createLetterThrottles(clock: MonotonicClock): LetterThrottles {
  const perDay = (limit: number, what: string) =>
    createWindowThrottle({ limit, windowMs: dayMs, what }, clock);
  return {
    emailLinks: perDay(limits.emailLinksPerDayMax, 'links to new emails'),
    invitations: perDay(limits.mailedInvitationsPerDayMax, 'invitations by email; invite by link'),
  };
}
