import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useMay } from '#client/lib/workspace-provider.tsx';
import { judgedQuery } from '#shared/judged-query.ts';
import { limits } from '#shared/limits.ts';
import { effectiveMode } from '../search-request.ts';
import type { SearchResults } from '../search-results.ts';
import type { HitVotesProps } from './hit-votes.tsx';

/** While somebody types nobody judges. */
const typingPauseMs = 400;

/** What the hits can be judged for; null: that is not settled yet; undefined: nothing is searched for, too long a text, or the reader may not. */
export type Votes = Pick<HitVotesProps, 'query' | 'pins' | 'onSaid'> | null | undefined;

/** @param isOne whether one collection is searched: in a list over several nothing can be pinned */
export function useVotes({ of, request }: SearchResults, isOne: boolean): { votes: Votes; said: string } {
  const [said, setSaid] = useState('');
  const may = useMay();
  const query = judgedQuery(of.q);
  const [settled] = useDebouncedValue(query, typingPauseMs);
  const isJudged = query !== '' && query !== '*' && query.length <= limits.judgedQueryCharactersMax;
  if (!isJudged || !may('editor')) return { votes: undefined, said };
  const hasPins = isOne && effectiveMode(of) !== 'vector';
  const pins = hasPins ? { acting: request.override?.id ?? null } : null;
  return { votes: settled === query ? { query, pins, onSaid: setSaid } : null, said };
}
