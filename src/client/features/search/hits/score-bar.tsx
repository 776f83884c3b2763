import type { MergedSearchHit } from '#shared/search.ts';
import { partsOf } from './explain-order.ts';
import classes from './score-bar.module.css';

interface ScoreBarProps {
  hit: Pick<MergedSearchHit, 'score' | 'relevance' | 'explain'>;
  /** The score of a full bar. */
  full: number;
  isOpen: boolean;
  onToggle: () => void;
}

/** The score, or the relevance where the collection tells it, and how much of it comes from words and how much from meaning; pressed, it shows the sum. */
export function ScoreBar({ hit, full, isOpen, onToggle }: ScoreBarProps) {
  const { words, meaning } = hit.explain ? partsOf(hit.explain) : { words: 0, meaning: 0 };
  const share = (part: number) => `${Math.max(0, Math.min(100, (part / full) * 100))}%`;
  const said = [
    ...(words > 0 ? [`${words.toFixed(3)} from words`] : []),
    ...(meaning > 0 ? [`${meaning.toFixed(3)} from meaning`] : []),
  ].join(', ');
  return (
    <button
      type="button"
      className={classes['root']}
      aria-expanded={isOpen}
      data-why
      title={`${said || 'No part of it is known'}. Press e for the sum.`}
      onClick={onToggle}
    >
      <span className={classes['bar']} aria-hidden="true">
        <span className={classes['words']} style={{ width: share(words) }} />
        <span className={classes['meaning']} style={{ width: share(meaning) }} />
      </span>
      <span>
        <span className={classes['name']}>{hit.relevance === undefined ? 'Score ' : 'Relevance '}</span>
        {hit.relevance === undefined ? hit.score.toFixed(3) : hit.relevance.toFixed(2)}
      </span>
      <span className={classes['said']}>{said}</span>
    </button>
  );
}

/** The colour of one side, before its name. */
export function ScoreSwatch({ side }: { side: 'words' | 'meaning' }) {
  return <span className={classes['swatch']} data-side={side} aria-hidden="true" />;
}
