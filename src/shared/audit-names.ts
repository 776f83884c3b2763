/** Who acted. `nobody` is signed in as no one; `operator` is a person at the server's own command line. */
export const auditActors = ['user', 'key', 'nobody', 'operator'] as const;
export type AuditActor = (typeof auditActors)[number];

/** What an act was about. */
export const auditTargets = [
  'account',
  'workspace',
  'project',
  'collection',
  'api_key',
  'invitation',
] as const;
export type AuditTarget = (typeof auditTargets)[number];

export const auditOutcomes = ['done', 'refused'] as const;
export type AuditOutcome = (typeof auditOutcomes)[number];
