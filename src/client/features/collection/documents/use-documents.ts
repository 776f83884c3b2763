import type { FilterFault } from '#client/components/filter/filter-fault.ts';
import { filterFault } from '#client/components/filter/filter-fault.ts';
import { titleFields } from '#client/lib/document-title.ts';
import { failureOf } from '#client/lib/error-message.ts';
import { trpc } from '#client/lib/trpc.ts';
import { type NewestAnswer, useNewestAnswer } from '#client/lib/use-newest-answer.ts';
import type { JsonValue } from '#shared/documents.ts';
import type { DocumentsState } from './documents-state.ts';
import { type KnownField, pickColumns } from './pick-columns.ts';

export type Row = { id: string } & Record<string, JsonValue>;

interface DocumentsPage {
  found: number;
  page: number;
  pages: number;
  /** Of all that pass, which one is its first. */
  first: number;
  documents: Row[];
}

const perPage = { table: 25, json: 10 } as const;

export interface Documents {
  list: NewestAnswer<DocumentsPage>;
  fields: {
    data: KnownField[] | undefined;
    isError: boolean;
    error: unknown;
    refetch: () => unknown;
  };
  /** The table's. */
  columns: string[];
  /** Of the filter, by its place in what was typed. */
  fault: FilterFault | null;
}

/** A page of the documents, or, while it is on its way, that of before. Of a table only what its columns show is fetched. */
export function useDocuments(collection: number, state: DocumentsState): Documents {
  const { client } = trpc.useUtils();
  const fields = trpc.collections.fields.useQuery({ collection });
  const columns = state.columns ?? pickColumns(fields.data ?? []);
  const { filter, sort, page, view } = state;
  const shown = view === 'table' ? { include_fields: ['id', ...titleFields, ...columns] } : {};
  const input = {
    collection,
    page,
    per_page: perPage[view],
    ...(filter.trim() ? { filter_by: filter.trim() } : {}),
    ...(sort ? { sort_by: sort } : {}),
    ...shown,
  };
  const isReady = view === 'json' || state.columns !== undefined || !fields.isPending;
  const list = useNewestAnswer<DocumentsPage>(
    isReady
      ? {
          // Under tRPC's own prefix, so that what invalidates documents reaches these too.
          key: [['documents', 'list'], { input, type: 'query' }],
          collections: [collection],
          ask: async (signal) => {
            const answer = await client.documents.list.query(input, { signal });
            const pages = Math.max(1, Math.ceil(answer.found / perPage[view]));
            const first = (page - 1) * perPage[view] + 1;
            return { ...answer, pages, first, documents: answer.documents as Row[] };
          },
        }
      : null,
  );
  const leading = filter.length - filter.trimStart().length;
  const fault = filterFault(failureOf(list.error).details, (position) => position + leading);
  return { list, fields, columns, fault };
}
