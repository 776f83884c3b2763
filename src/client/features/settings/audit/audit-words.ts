import type { AuditEntry } from '#shared/audit-entries.ts';
import type { AuditActor, AuditOutcome } from '#shared/audit-names.ts';
import { procedureWords } from './procedure-words.gen.ts';

/** What is done in a workspace, as its list of choices has it. */
export const actionWords: Record<string, string> = {
  ...procedureWords,
  // What no procedure of this name does.
  'workspaces.setPlan': 'Plan changed',
  'apiKeys.revoke': 'API key revoked',
  'auth.key': 'API key shown',
};

/** What was done or, of a refusal, what was to be done: reading is refused too, so there are more than have words. */
export function wordsOf({ action }: Pick<AuditEntry, 'action'>): string {
  return actionWords[action] ?? action;
}

export const actorWords: Record<AuditActor, string> = {
  user: 'Person',
  key: 'API key',
  nobody: 'Nobody signed in',
  operator: 'Operator of the server',
};

export const outcomeWords: Record<AuditOutcome, string> = { done: 'Done', refused: 'Refused' };

/** Who acted, by the name of that time. */
export function nameOfActor({ actor: { kind, id, name } }: Pick<AuditEntry, 'actor'>): string {
  if (kind === 'operator' || kind === 'nobody') return actorWords[kind];
  return name ?? `${actorWords[kind]} ${id ?? ''}`.trim();
}

const targetWords = {
  account: 'account',
  workspace: 'workspace',
  project: 'project',
  collection: 'collection',
  api_key: 'API key',
  invitation: 'invitation',
} as const;

/** What it was about: `collection films`; null: nothing that has a name. */
export function targetText({
  action,
  target,
  before,
  after,
}: Pick<AuditEntry, 'action' | 'target' | 'before' | 'after'>): string | null {
  // A rule is told by what is kept of it: it is none of the targets, which is its workspace.
  const rule = action.startsWith('alertRules.') ? (before?.['rule'] ?? after?.['rule']) : undefined;
  if (typeof rule === 'string') return `alert rule ${rule}`;
  if (!target) return null;
  return `${targetWords[target.kind]} ${target.name ?? target.id ?? ''}`.trim();
}
