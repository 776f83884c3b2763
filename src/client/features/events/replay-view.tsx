import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { repeatIcon, xIcon } from '#client/components/display/icon-shapes.gen.ts';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { formatNumber } from '#client/lib/format.ts';
import { trpc } from '#client/lib/trpc.ts';
import { isReplayed, type ReplayState } from '#shared/request-kinds.ts';
import type { AnswerList, RequestDetail } from '#shared/requests.ts';
import { type ComparedHit, compareHits, comparisonSentence } from './compare-hits.ts';
import classes from './event-panel.module.css';
import { replayRequest } from './replay-request.ts';

const whyNot: Record<Exclude<ReplayState, 'yes'>, string> = {
  write: 'It changes something, so it is not sent again from here.',
  other: 'Its answer is not compared: searches, suggestions and the reading of one document are.',
  too_long: 'It was longer than is kept, so it cannot be sent again.',
  secret: 'Something in it looked like a secret and is not kept, so it cannot be sent again.',
  scope: 'It was about all that its key may see, which is not the same for you.',
};

/** The answer that there was, and beside it today's, once the reader asks for it. */
export function ReplayView({ event }: { event: RequestDetail }) {
  const { client } = trpc.useUtils();
  const [times, setTimes] = useState(0);
  const { operation, input, replay, answer: then } = event;
  const isPossible = replay === 'yes' && isReplayed(operation);
  const again = useQuery({
    queryKey: ['replay', event.id, times],
    enabled: times > 0 && isPossible,
    gcTime: 0,
    queryFn: ({ signal }) => {
      if (!isReplayed(operation)) throw new Error('This operation is not sent again');
      return replayRequest(client, { operation, input }, signal);
    },
  });
  const now = times > 0 ? again.data : undefined;
  return (
    <section aria-labelledby="event-answer">
      <Group justify="space-between" mb="xs">
        <Title order={3} id="event-answer" size="h3">
          {now ? 'The answer then and now' : 'What was answered'}
        </Title>
        {isPossible &&
          (again.isFetching ? (
            <Button
              size="xs"
              variant="default"
              leftSection={<Icon shape={xIcon} size={16} />}
              onClick={() => setTimes(0)}
            >
              Cancel replay
            </Button>
          ) : (
            <Button
              size="xs"
              leftSection={<Icon shape={repeatIcon} size={16} />}
              onClick={() => setTimes(times + 1)}
            >
              {times > 0 ? 'Replay again' : 'Replay'}
            </Button>
          ))}
      </Group>
      <Stack gap="sm">
        {!isPossible && (
          <Text size="sm" c="dimmed">
            {replay === 'yes' ? whyNot.other : whyNot[replay]}
          </Text>
        )}
        {times > 0 && again.error && (
          <ErrorView error={again.error} title="Sent again, it fails now" onRetry={again.refetch} />
        )}
        {now
          ? pairs(then ?? [], now).map((pair) => <Comparison key={pair.place} {...pair} />)
          : (then ?? []).map((list, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the lists of one answer stay where they are
              <Answer key={i} list={list} place={(then ?? []).length > 1 ? i + 1 : null} />
            ))}
      </Stack>
    </section>
  );
}

const nothing: AnswerList = { found: null, hits: [] };

function pairs(then: AnswerList[], now: AnswerList[]) {
  const count = Math.max(then.length, now.length);
  return Array.from({ length: count }, (_, i) => ({
    place: i + 1,
    isOnly: count === 1,
    was: then[i] ?? nothing,
    is: now[i] ?? nothing,
  }));
}

function Answer({ list, place }: { list: AnswerList; place: number | null }) {
  const { found, hits } = list;
  const title = place === null ? '' : `Search ${place}: `;
  return (
    <div>
      <Text size="sm" mb={4}>
        {title}
        {found === null ? 'it failed' : `${formatNumber(found)} found`}
        {hits.length > 0 && found !== null && found > hits.length ? `, the first ${hits.length}:` : ''}
      </Text>
      {hits.length > 0 && (
        <table className={classes['hits']}>
          <thead>
            <tr>
              <th scope="col">#</th>
              <th scope="col">Id</th>
              <th scope="col" className={classes['number']}>
                Score
              </th>
            </tr>
          </thead>
          <tbody>
            {hits.map(({ id, score }, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the same id may be in several collections
              <tr key={i}>
                <td>{i + 1}</td>
                <td dir="auto">{id}</td>
                <td className={classes['number']}>{scoreText(score)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

const changes: Record<ComparedHit['change'], string> = {
  same: 'same',
  score: 'other score',
  up: 'moved up',
  down: 'moved down',
  new: 'new',
  gone: 'gone',
};

function Comparison({ was, is, place, isOnly }: ReturnType<typeof pairs>[number]) {
  const hits = compareHits(was.hits, is.hits);
  return (
    <div>
      <Text size="sm" mb={4} role="status">
        {isOnly ? '' : `Search ${place}: `}
        {comparisonSentence(was, is, hits)}
      </Text>
      {hits.length > 0 && (
        <table className={classes['hits']}>
          <thead>
            <tr>
              <th scope="col">Id</th>
              <th scope="col" className={classes['number']}>
                Then
              </th>
              <th scope="col" className={classes['number']}>
                Now
              </th>
              <th scope="col">Change</th>
            </tr>
          </thead>
          <tbody>
            {hits.map((hit, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the same id may be in several collections
              <tr key={i} data-change={hit.change}>
                <td dir="auto" className={classes['document']}>
                  {hit.id}
                </td>
                <td className={classes['number']}>
                  <PlaceOf place={hit.was} />
                </td>
                <td className={classes['number']}>
                  <PlaceOf place={hit.is} />
                </td>
                <td>{changes[hit.change]}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

/** Its score stands below it where there is no room beside it. */
function PlaceOf({ place }: { place: ComparedHit['was'] }) {
  if (place === null) return '–';
  return (
    <>
      #{place.place}
      {place.score !== null && <span className={classes['score']}> {scoreText(place.score)}</span>}
    </>
  );
}

function scoreText(score: number | null): string {
  return score === null ? '' : score.toFixed(3);
}
