import type { AuditEntry } from '#shared/audit-entries.ts';
import type { AuditActor, AuditOutcome } from '#shared/audit-names.ts';

/** What is done in a workspace, by the procedure that does it, as its list of choices has it. */
export const actionWords: Record<string, string> = {
  'workspaces.create': 'Workspace created',
  'workspaces.update': 'Workspace updated',
  'workspaces.leave': 'Workspace left',
  'workspaces.delete': 'Workspace deleted',
  'workspaces.restore': 'Workspace restored',
  'workspaces.setPlan': 'Plan changed',
  'members.update': 'Role given',
  'members.remove': 'Member removed',
  'invitations.create': 'Member invited',
  'invitations.delete': 'Invitation revoked',
  'invitations.accept': 'Invitation accepted',
  'projects.create': 'Project created',
  'projects.update': 'Project updated',
  'projects.delete': 'Project deleted',
  'projects.restore': 'Project restored',
  'apiKeys.create': 'API key created',
  'apiKeys.reveal': 'API key revealed',
  'apiKeys.update': 'API key updated',
  'apiKeys.rotate': 'API key rotated',
  'apiKeys.revoke': 'API key revoked',
  'apiKeys.delete': 'API key deleted',
  'apiKeys.restore': 'API key restored',
  'collections.create': 'Collection created',
  'collections.update': 'Collection updated',
  'collections.delete': 'Collection deleted',
  'collections.restore': 'Collection restored',
  'collections.repair': 'Index rebuilt',
  'aliases.put': 'Alias set',
  'aliases.delete': 'Alias deleted',
  'documents.import': 'Documents imported',
  'documents.export': 'Documents exported',
  'documents.deleteMany': 'Documents deleted by a filter',
  'documents.mergeMany': 'Documents changed by a filter',
  'imports.cancel': 'Import cancelled',
  'samples.load': 'Sample loaded',
  'synonyms.upsert': 'Synonym saved',
  'synonyms.delete': 'Synonym deleted',
  'synonyms.import': 'Synonyms imported',
  'overrides.upsert': 'Override saved',
  'overrides.delete': 'Override deleted',
  'searchSettings.update': 'Search settings changed',
  'presets.put': 'Preset saved',
  'presets.delete': 'Preset deleted',
  'judgements.put': 'Judgement saved',
  'judgements.import': 'Judgements imported',
  'judgements.putClicked': 'Clicks taken as judgements',
  'judgements.delete': 'Judgement deleted',
  'judgements.measure': 'Relevance measured',
  'calibrations.fit': 'Relevance calibrated',
  'calibrations.delete': 'Calibration removed',
  'conversations.update': 'Conversation renamed',
  'conversations.delete': 'Conversation deleted',
  'conversations.restore': 'Conversation restored',
  'alertRules.create': 'Alert rule created',
  'alertRules.update': 'Alert rule updated',
  'alertRules.delete': 'Alert rule deleted',
  'webhooks.create': 'Webhook created',
  'webhooks.update': 'Webhook updated',
  'webhooks.rotate': 'Webhook given a new secret',
  'webhooks.test': 'Webhook tested',
  'webhooks.delete': 'Webhook deleted',
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
