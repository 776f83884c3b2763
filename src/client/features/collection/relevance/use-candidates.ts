import { useQuery } from '@tanstack/react-query';
import { titleOf } from '#client/lib/document-title.ts';
import { trpc } from '#client/lib/trpc.ts';
import type { StoredDocument } from '#shared/documents.ts';
import type { SearchMode } from '#shared/search.ts';

/** A document that can be judged. */
export interface Candidate {
  id: string;
  /** Null: the document is not there (any more). */
  title: string | null;
  /** Its place among the first ten; null: it is not there. */
  rank: number | null;
  grade: number | null;
  /** Who gave it; null: nobody has, or they are gone. */
  by: string | null;
}

interface Asked {
  collection: number;
  query: string;
  mode: SearchMode;
}

const hitsMax = 10;
/** One request asks for so many documents. */
const documentsMax = 250;

/** The first ten hits, then what else is judged. The order is that of the search: it does not change while one judges. */
export function useCandidates({ collection, query, mode }: Asked) {
  const { client } = trpc.useUtils();
  const judged = trpc.judgements.list.useQuery({ collection, query });
  const hits = useQuery({
    queryKey: [['search'], 'to judge', collection, query, mode],
    queryFn: async ({ signal }) => {
      const asked = { collection, query, per_page: hitsMax, page: 1, enable_analytics: false };
      const answer = await client.search[mode].query(asked, { signal });
      return 'hits' in answer ? answer.hits : [];
    },
  });
  const found = new Set(hits.data?.map(({ id }) => id));
  const others = judged.data?.judgements.map(({ document }) => document).filter((id) => !found.has(id)) ?? [];
  const documents = useQuery({
    queryKey: [['documents'], 'judged', collection, others],
    queryFn: ({ signal }) => {
      const ids = others.slice(0, documentsMax).map((id) => `\`${id.replaceAll('`', '``')}\``);
      const asked = { collection, filter_by: `id:[${ids.join(', ')}]`, page: 1, per_page: documentsMax };
      return client.documents.list.query(asked, { signal });
    },
    enabled: hits.isSuccess && others.length > 0,
    // Each judgement makes another list: the titles known so far go on to be shown.
    placeholderData: (before) => before,
  });
  const error = judged.error ?? hits.error ?? documents.error;
  const retry = () =>
    Promise.all([judged, hits, documents].filter((each) => each.isError).map((each) => each.refetch()));
  const isThere = judged.data && hits.data && (others.length === 0 || documents.data);
  if (error || !isThere) return { error, retry, candidates: null, judged: null };
  const byDocument = new Map(judged.data.judgements.map((each) => [each.document, each]));
  const gradeOf = (id: string) => ({
    grade: byDocument.get(id)?.grade ?? null,
    by: byDocument.get(id)?.judgedBy ?? null,
  });
  const byId = new Map<string, StoredDocument>(documents.data?.documents.map((each) => [each.id, each]));
  const candidates: Candidate[] = [
    ...hits.data.map(({ id, document }, i) => ({
      id,
      title: titleOf(id, document),
      rank: i + 1,
      ...gradeOf(id),
    })),
    ...others.map((id) => {
      const document = byId.get(id);
      return {
        id,
        title: document ? titleOf(id, document) : null,
        rank: null,
        ...gradeOf(id),
      };
    }),
  ];
  return { error: null, retry, candidates, judged: judged.data.judgements };
}
