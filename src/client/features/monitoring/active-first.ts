import type { Alert } from '#shared/alerts.ts';

/** One that has been active for long is behind many that came and went: those that are active stand first, each once. */
export function activeFirst(active: Alert[], recent: Alert[]): Alert[] {
  return [...active, ...recent.filter(({ status }) => status === 'resolved')];
}
