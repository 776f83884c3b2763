import { Text } from '@mantine/core';
import { useState } from 'react';
import { JoiningLines } from '#client/components/display/joining-lines.tsx';
import { type Moves, movesOf, movesSentence } from './moves.ts';
import classes from './preview-panel.module.css';
import { type HitActions, type Move, PreviewRow } from './preview-row.tsx';
import { type PreviewHit, shownHits } from './use-preview.ts';

interface PreviewListsProps {
  before: { hits: PreviewHit[] };
  /** Null: nothing is changed. */
  after: { hits: PreviewHit[] } | null;
  actions: HitActions | undefined;
  isFetching: boolean;
}

/** The first hits as they are, and beside them as they would be; the same document is joined. */
export function PreviewLists({ before, after, actions, isFetching }: PreviewListsProps) {
  const [pointed, setPointed] = useState<string | null>(null);
  const idsBefore = before.hits.map(({ id }) => id);
  const idsAfter = (after ?? before).hits.map(({ id }) => id);
  const moves = movesOf(idsBefore, idsAfter, shownHits);
  const pointing = { pointed, onPoint: setPointed };
  return (
    <>
      <Text size="sm" mt="sm" role="status">
        {after
          ? movesSentence(moves, shownHits)
          : 'Nothing is changed yet: this is what everybody finds now.'}
      </Text>
      <div
        className={classes['columns']}
        data-both={after !== null || undefined}
        data-fetching={isFetching || undefined}
      >
        <Column
          label={after ? 'Before' : 'Now'}
          hits={before.hits.slice(0, shownHits)}
          moveOf={after ? (i) => moveBefore(moves.before[i]?.now ?? null) : () => null}
          actions={after ? undefined : actions}
          {...pointing}
        />
        {after && (
          <>
            <JoiningLines
              left={idsBefore.slice(0, shownHits)}
              right={idsAfter.slice(0, shownHits)}
              pointed={pointed}
            />
            <Column
              label="After"
              hits={after.hits.slice(0, shownHits)}
              moveOf={(i) => moveAfter(moves, i)}
              actions={actions}
              {...pointing}
            />
          </>
        )}
      </div>
    </>
  );
}

interface ColumnProps {
  label: string;
  hits: PreviewHit[];
  moveOf: (index: number) => Move | null;
  actions: HitActions | undefined;
  pointed: string | null;
  onPoint: (id: string | null) => void;
}

function Column({ label, hits, moveOf, actions, pointed, onPoint }: ColumnProps) {
  return (
    <section className={classes['column']} aria-label={label}>
      <h3 className={classes['label']}>{label}</h3>
      {hits.length === 0 && (
        <Text size="sm" c="dimmed">
          Nothing is found.
        </Text>
      )}
      <ol className={classes['list']} aria-label={`${label}: hits`}>
        {hits.map((hit, i) => (
          <PreviewRow
            key={hit.id}
            hit={hit}
            place={i + 1}
            move={moveOf(i)}
            actions={actions}
            isPointed={pointed === hit.id}
            onPoint={onPoint}
          />
        ))}
      </ol>
    </section>
  );
}

function moveBefore(now: number | null): Move | null {
  if (now === null) return { kind: 'gone', text: 'gone' };
  return now > shownHits ? { kind: 'gone', text: `now #${now}` } : null;
}

function moveAfter({ after }: Moves, i: number): Move {
  const was = after[i]?.was ?? null;
  const place = i + 1;
  if (was === null) return { kind: 'new', text: 'new' };
  if (was === place) return { kind: 'same', text: '' };
  return was > place
    ? { kind: 'up', text: `↑ ${was - place}, was #${was}` }
    : { kind: 'down', text: `↓ ${place - was}, was #${was}` };
}
