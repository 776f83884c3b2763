import type { AuditEntry } from '#shared/audit-entries.ts';
import { limits } from '#shared/limits.ts';
import type { AuditChosen } from './use-audit-entries.ts';

interface Reading {
  list: (input: AuditChosen & { page: number; per_page: number }) => Promise<AuditEntry[]>;
  chosen: AuditChosen;
  /** Told after each page. */
  onProgress: (entries: number) => void;
}

/**
 * All that are chosen, the newest first, page by page. Each page is asked for from the oldest one seen on, so that entries that come meanwhile
 * move none, and there is no last page: those of the same moment come again and are left out.
 */
export async function readAllEntries({ list, chosen, onProgress }: Reading): Promise<AuditEntry[]> {
  const all = new Map<number, AuditEntry>();
  const perPage = limits.perPageMax;
  let until = chosen.until;
  for (let page = 1; ; ) {
    const rows = await list({ ...chosen, ...(until && { until }), page, per_page: perPage });
    for (const row of rows) all.set(row.id, row);
    onProgress(all.size);
    const [oldest, newest] = [rows.at(-1), rows[0]];
    if (!oldest || !newest || rows.length < perPage) return [...all.values()];
    // More of one moment than a page: its next page.
    const isOneMoment = oldest.createdAt === newest.createdAt;
    page = isOneMoment ? page + 1 : 1;
    if (!isOneMoment) until = justAfter(oldest.createdAt);
  }
}

function justAfter(moment: string): string {
  return new Date(Date.parse(moment) + 1).toISOString();
}
