import type { AuditActor, AuditTarget } from '#shared/audit-names.ts';

/** Where a request came from. */
export interface Origin {
  requestId: string;
  /** The caller's address, for throttles too. */
  address: string;
  userAgent: string | null;
}

export interface Actor {
  kind: AuditActor;
  id: number | null;
  /** Absent: as the record has it at that moment. */
  name?: string | null;
}

/** What somebody did. What changed is said without secrets. */
export interface AuditEntry {
  at: Date;
  /** The procedure's name. */
  action: string;
  actor: Actor;
  /** Null: nobody's workspace, as for an account. */
  workspaceId: number | null;
  target: { kind: AuditTarget; id: number; name: string } | null;
  before?: Record<string, unknown> | undefined;
  after?: Record<string, unknown> | undefined;
  /** Null for an operator's. */
  from: Origin | null;
}

/** An operator's act, of which it is not known who it was, nor from where. */
export const byOperator = { actor: { kind: 'operator', id: null }, from: null } as const;
