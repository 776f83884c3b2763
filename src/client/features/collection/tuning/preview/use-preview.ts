import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { titleFields, titleOf } from '#client/lib/document-title.ts';
import { trpc } from '#client/lib/trpc.ts';
import type { EffectiveRequest, SearchHit } from '#shared/search.ts';
import type { RuleDraft } from '#shared/search-preview.ts';
import type { TuningState } from '../tuning-state.ts';

export interface PreviewHit {
  id: string;
  title: string;
  /** Null: it is not told. */
  score: number | null;
  isPinned: boolean;
  /** What else is said of it. */
  note?: string | undefined;
}

interface PreviewAnswer {
  hits: PreviewHit[];
  found: number;
  request: EffectiveRequest;
}

export interface Preview {
  before: PreviewAnswer | undefined;
  /** Null: nothing differs. */
  after: PreviewAnswer | null | undefined;
  error: unknown;
  isFetching: boolean;
  refetch: () => void;
}

/** So many are shown; those behind them tell where others have gone. */
export const shownHits = 10;
const answeredHits = 50;
/** Behind the last key. A draft of thousands of rules takes the server some tenths of a second. */
const pauseMs = 150;

interface Asked extends Pick<TuningState, 'by'> {
  collection: number;
  /** What is tried; empty: nothing is asked. */
  query: string;
  draft: RuleDraft | null;
  /** The moment that overrides are asked of; absent: now. */
  at: string | undefined;
}

/** One search with the saved rules, and the same as if the draft were saved. */
export function usePreview(asked: Asked): Preview {
  const [{ collection, query, by: mode, draft, at }] = useDebouncedValue(asked, pauseMs);
  const text = query.trim();
  const search = {
    collection,
    query: text,
    mode: text === '*' ? ('keyword' as const) : mode,
    per_page: answeredHits,
    include_fields: titleFields,
    ...(at !== undefined && { at }),
  };
  const options = { enabled: text !== '', placeholderData: keepPreviousData };
  const before = trpc.search.preview.useQuery({ ...search, draft: {} }, options);
  const after = trpc.search.preview.useQuery(
    { ...search, draft: draft ?? {} },
    { ...options, enabled: text !== '' && draft !== null },
  );
  return {
    before: before.data && toAnswer(before.data),
    after: draft === null ? null : after.data && toAnswer(after.data),
    error: before.error ?? (draft === null ? null : after.error),
    isFetching: before.isFetching || after.isFetching,
    refetch: () => {
      void before.refetch();
      if (draft !== null) void after.refetch();
    },
  };
}

interface Answered {
  found: number;
  request: EffectiveRequest;
}

function toAnswer(answer: Answered & ({ hits: SearchHit[] } | object)): PreviewAnswer {
  const { found, request } = answer;
  // The tab asks for no groups.
  const hits = 'hits' in answer ? answer.hits : [];
  return {
    found,
    request,
    hits: hits.map(({ id, document, score, curated }) => ({
      id,
      title: titleOf(id, document),
      score,
      isPinned: curated === true,
    })),
  };
}
