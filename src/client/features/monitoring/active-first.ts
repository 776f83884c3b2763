import type { Alert } from '#shared/alerts.ts';

/** One that has been active for long is behind many that came and went: those that are active stand first, each once. */
export function activeFirst(active: Alert[], recent: Alert[]): Alert[] {
  // The two were asked for at two moments: what was resolved in between is in both.
  const ids = new Set(active.map(({ id }) => id));
  return [...active, ...recent.filter(({ id, status }) => status === 'resolved' && !ids.has(id))];
}
