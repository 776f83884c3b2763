import { keepPreviousData, type UseQueryResult } from '@tanstack/react-query';
import { type RouterInputs, trpc } from '#client/lib/trpc.ts';
import type { AuditEntry } from '#shared/audit-entries.ts';
import { type AuditState, auditDefaults } from './audit-state.ts';

/** So many stand on a page. */
export const auditRowsPerPage = 50;

export type AuditChosen = RouterInputs['auditEntries']['total'];

type Query<Data> = Pick<
  UseQueryResult<Data, unknown>,
  'data' | 'error' | 'isError' | 'isPlaceholderData' | 'refetch'
>;

export interface AuditEntries {
  chosen: AuditChosen;
  list: Query<AuditEntry[]>;
  total: Query<{ total: number; isMore: boolean }>;
}

/** What the address asks for, and how much of it there is. */
export function useAuditEntries(workspaceId: number, state: AuditState & { page: number }): AuditEntries {
  const chosen = chosenBy(workspaceId, state);
  const list = trpc.auditEntries.list.useQuery(
    { ...chosen, page: state.page, per_page: auditRowsPerPage },
    { placeholderData: keepPreviousData },
  );
  const total = trpc.auditEntries.total.useQuery(chosen, { placeholderData: keepPreviousData });
  return { chosen, list, total };
}

/** Days are the reader's: from their first moment to their last. */
function chosenBy(workspaceId: number, { action, outcome, actor, since, until }: AuditState): AuditChosen {
  return {
    workspaceId,
    ...(action && { action }),
    ...(outcome && { outcome }),
    ...(actor && { actorKind: actor }),
    ...(since && { since: startOfDay(since, 0) }),
    ...(until && { until: startOfDay(until, 1) }),
  };
}

function startOfDay(day: string, daysLater: number): string {
  const start = new Date(`${day}T00:00:00`);
  start.setDate(start.getDate() + daysLater);
  return start.toISOString();
}

export function isNarrowed(state: AuditState): boolean {
  return (['action', 'outcome', 'actor', 'since', 'until'] as const).some(
    (name) => state[name] !== auditDefaults[name],
  );
}
