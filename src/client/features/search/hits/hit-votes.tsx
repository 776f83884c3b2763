import { Icon, type IconShape } from '#client/components/display/icon.tsx';
import { pinIcon, thumbDownIcon, thumbUpIcon } from '#client/components/display/icon-shapes.gen.ts';
import { grades } from '#shared/judged-query.ts';
import type { MergedSearchHit } from '#shared/search.ts';
import classes from './hit-votes.module.css';
import { usePin } from './use-pin.ts';
import { useVote } from './use-vote.ts';

export interface HitVotesProps {
  hit: Pick<MergedSearchHit, 'id' | 'collection' | 'curated'>;
  /** Of the hit, for whoever hears the buttons. */
  title: string;
  query: string;
  /** Where the hit can be pinned: the override that acts there, if any does; absent: in this list nothing can be. */
  pins: { acting: string | null } | null;
  /** Hears what was done, to be said aloud. */
  onSaid: (text: string) => void;
}

/** Whether the hit is relevant to what was searched for, as the reader says, and whether it is pinned; each pressed again is taken back. */
export function HitVotes({ hit, title, query, pins, onSaid }: HitVotesProps) {
  const at = { collection: hit.collection.id, query, id: hit.id };
  const { grade, vote, isKnown, retry } = useVote(at, onSaid);
  const isRelevant = grade !== undefined && grade > grades.notRelevant;
  const isNot = grade === grades.notRelevant;
  if (retry) {
    return (
      <div className={classes['root']}>
        <button type="button" className={classes['retry']} onClick={retry}>
          Judgements not loaded. Try again
        </button>
      </div>
    );
  }
  return (
    <div className={classes['root']}>
      <Vote
        shape={thumbUpIcon}
        label={`Relevant: ${title}`}
        hint={isRelevant ? 'Judged relevant. Press to take it back.' : 'Relevant to this query'}
        isPressed={isRelevant}
        isReady={isKnown}
        onPress={() => vote(isRelevant ? null : grades.relevant)}
        tone="good"
      />
      <Vote
        shape={thumbDownIcon}
        label={`Not relevant: ${title}`}
        hint={isNot ? 'Judged not relevant. Press to take it back.' : 'Not relevant to this query'}
        isPressed={isNot}
        isReady={isKnown}
        onPress={() => vote(isNot ? null : grades.notRelevant)}
        tone="bad"
      />
      {pins && <Pin at={{ ...at, ...pins }} {...{ hit, title, grade, isKnown, onSaid, vote }} />}
    </div>
  );
}

interface PinProps extends Pick<HitVotesProps, 'hit' | 'title' | 'onSaid'> {
  at: Parameters<typeof usePin>[0];
  grade: number | undefined;
  isKnown: boolean;
  vote: (grade: number | null) => void;
}

/** A pinned hit is the best answer, unless it was judged otherwise. */
function Pin({ at, hit, title, grade, isKnown, onSaid, vote }: PinProps) {
  const isPinned = hit.curated === true;
  const { pin, unpin, isPending } = usePin(at, {
    onPinning: () => {
      if (grade === undefined) vote(grades.best);
    },
    onPinned: (position) => onSaid(`Pinned to place ${position}`),
    onUnpinning: () => {
      if (grade === grades.best) vote(null);
    },
    onUnpinned: () => onSaid('Not pinned any more'),
  });
  return (
    <Vote
      shape={pinIcon}
      label={`Pin to the top: ${title}`}
      hint={isPinned ? 'Pinned for this query. Press to let it go.' : 'Pin to the top for this query'}
      isPressed={isPinned}
      isReady={isKnown && !isPending}
      onPress={isPinned ? unpin : pin}
      tone="pin"
    />
  );
}

interface VoteProps {
  shape: IconShape;
  label: string;
  hint: string;
  isPressed: boolean;
  /** Pressed before, it does nothing. */
  isReady: boolean;
  onPress: () => void;
  tone: 'good' | 'bad' | 'pin';
}

function Vote({ shape, label, hint, isPressed, isReady, onPress, tone }: VoteProps) {
  return (
    <button
      type="button"
      className={classes['vote']}
      data-tone={tone}
      aria-label={label}
      aria-pressed={isPressed}
      aria-disabled={!isReady}
      title={hint}
      onClick={isReady ? onPress : undefined}
    >
      <Icon shape={shape} size={16} />
    </button>
  );
}
