import { choiceParam, textParam, wholeParam } from '#client/lib/search-params.ts';
import { type AuditActor, type AuditOutcome, auditActors, auditOutcomes } from '#shared/audit-names.ts';

/** What the audit log shows, as it stands in the address. Empty: all. */
export interface AuditState {
  /** The procedure: `apiKeys.create`. */
  action: string;
  outcome: AuditOutcome | '';
  actor: AuditActor | '';
  /** Days, as `2026-11-23`; both are included. */
  since: string;
  until: string;
  /** The one that is open; 0: none. */
  entry: number;
}

export const auditDefaults = {
  action: '',
  outcome: '',
  actor: '',
  since: '',
  until: '',
  entry: 0,
} as const satisfies AuditState;

/** What cannot be read falls back. */
export function auditState(search: { [Name in keyof AuditState]?: unknown }): AuditState {
  const action = textParam(search.action, 64);
  return {
    action: /^[a-zA-Z.]*$/.test(action) ? action : '',
    outcome: choiceParam<AuditOutcome | ''>(search.outcome, auditOutcomes, ''),
    actor: choiceParam<AuditActor | ''>(search.actor, auditActors, ''),
    since: dayParam(search.since),
    until: dayParam(search.until),
    entry: wholeParam(search.entry, { min: 1, max: Number.MAX_SAFE_INTEGER, fallback: 0 }),
  };
}

function dayParam(value: unknown): string {
  const text = textParam(value, 10);
  return /^[12]\d{3}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : '';
}
