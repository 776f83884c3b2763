import { Button, Code, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { formatNumber } from '#client/lib/format.ts';
import { trpc } from '#client/lib/trpc.ts';
import { tunedLabel } from '#client/lib/tuned-search.ts';
import type { ExplainAnswer, Lost } from '#shared/standing.ts';
import { hasCount } from '../search-results.ts';
import { hitsPerPage, type SearchState } from '../search-state.ts';
import { applyChanges } from './apply-changes.ts';
import { type TopHit, topTen } from './locate.ts';
import classes from './locate-dialog.module.css';

interface StandingProps {
  state: SearchState;
  collection: { id: number };
  title: string;
  standing: ExplainAnswer;
  onApply: (change: Partial<SearchState>) => void;
}

/** Where a document stands, and what would bring it to where it was looked for. */
export function Standing({ state, collection, title, standing, onApply }: StandingProps) {
  const { rank, page, found, lost, also_lost = [], changes } = standing;
  const change = applyChanges(state, changes);
  return (
    <section aria-label="Where it stands" className={classes['standing']}>
      <Text fw={600} dir="auto">
        {title}
      </Text>
      {rank !== null && (
        <Text size="sm">
          {`It is number ${formatNumber(rank)}${hasCount({ of: state }) ? ` of ${formatNumber(found)}` : ''}${page === null ? ', beyond what pages reach' : `, on page ${formatNumber(page)}`}.`}
        </Text>
      )}
      {lost === null && <Text size="sm">That is the page on screen.</Text>}
      {[...(lost ? [lost] : []), ...also_lost].map((one) => (
        <LostStep key={one.step} lost={one} />
      ))}
      {lost && changes.length === 0 && (
        <Text size="sm">No change of one or two parameters was found that brings it.</Text>
      )}
      {changes.length > 0 && (
        <>
          <Text size="sm" fw={600} mt="sm">
            What brings it
          </Text>
          <ul className={classes['changes']}>
            {changes.map(({ parameter, value }) => (
              <li key={parameter}>{tunedLabel(parameter, value)}</li>
            ))}
          </ul>
          {change ? (
            <>
              <BeforeAfter {...{ state, collection, change }} id={standing.id} />
              <Button mt="sm" onClick={() => onApply(change)}>
                Apply
              </Button>
            </>
          ) : (
            <Code block>
              {JSON.stringify(Object.fromEntries(changes.map((one) => [one.parameter, one.value])))}
            </Code>
          )}
        </>
      )}
    </section>
  );
}

const steps: Record<Lost['step'], string> = {
  document: 'Not in the collection',
  rule: 'Lost to an override',
  filter: 'Lost at the filter',
  phrase: 'Lost at a phrase',
  exclusion: 'Lost at an exclusion',
  word: 'Lost at the words',
  typo_limit: 'Lost at the number of typos',
  dropped_word: 'Lost at the stop words',
  neighbours: 'Lost among the nearest',
  relevance: 'Lost as not relevant enough',
  rank: 'On another page',
  group: 'Lost in its group',
};

function LostStep({ lost }: { lost: Lost }) {
  const { step, message, clauses = [], words = [], nearest } = lost;
  return (
    <div className={classes['lost']}>
      <Text size="sm" fw={600}>
        {steps[step]}
      </Text>
      <Text size="sm">{message}.</Text>
      {clauses.length > 0 && (
        <Text size="sm">
          It fails{' '}
          {clauses.map(({ clause, position }) => (
            <Code key={position}>{clause}</Code>
          ))}
        </Text>
      )}
      {words.length > 0 && (
        <>
          <Text size="sm">Not in it:</Text>
          <ul className={classes['words']}>
            {words.map(({ word, other_fields = [], near }) => (
              <li key={word}>
                {`“${word}”`}
                {near && `, but “${near.word}”`}
                {other_fields.length > 0 && `; it stands in ${other_fields.join(', ')}, not searched here`}
              </li>
            ))}
          </ul>
        </>
      )}
      {nearest !== undefined && (
        <Text size="sm">{`By meaning it is number ${formatNumber(nearest)} of all that pass the filter.`}</Text>
      )}
    </div>
  );
}

interface BeforeAfterProps {
  state: SearchState;
  collection: { id: number };
  change: Partial<SearchState>;
  id: string;
}

/** The first page as it is and as it would be, the document marked. */
function BeforeAfter({ state, collection, change, id }: BeforeAfterProps) {
  const { client } = trpc.useUtils();
  const after = { ...state, ...change };
  const both = useQuery({
    queryKey: [['search'], 'before and after', state, after, collection.id],
    queryFn: ({ signal }) =>
      Promise.all(
        [state, after].map((one) => topTen(client, { state: one, collection: collection.id }, signal)),
      ),
  });
  if (both.isError)
    return <ErrorView error={both.error} title="The comparison failed" onRetry={both.refetch} />;
  if (!both.data) return <Skeleton height={160} mt="sm" />;
  const [before = [], then = []] = both.data;
  return (
    <div className={classes['columns']}>
      <TopList title="Before" hits={before} id={id} others={[]} page={state.page} />
      <TopList title="After" hits={then} id={id} others={before} page={after.page} />
    </div>
  );
}

function TopList({
  title,
  hits,
  id,
  others,
  page,
}: {
  title: string;
  hits: TopHit[];
  id: string;
  others: TopHit[];
  /** Its places begin behind those of the pages before. */
  page: number;
}) {
  return (
    <div>
      <Text size="xs" c="dimmed" fw={600}>
        {title}
      </Text>
      <ol aria-label={title} start={(page - 1) * hitsPerPage + 1} className={classes['list']}>
        {hits.map((hit) => {
          const isNew = title === 'After' && !others.some((other) => other.id === hit.id);
          return (
            <li key={hit.id} data-wanted={hit.id === id || undefined} dir="auto">
              {hit.title}
              {hit.id === id ? ' (this one)' : isNew ? ' (new)' : ''}
            </li>
          );
        })}
      </ol>
    </div>
  );
}
