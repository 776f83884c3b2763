import { Badge } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { MarkedText } from '#client/components/display/marked-text.tsx';
import { titleOf } from '#client/lib/document-title.ts';
import { laterPart } from '#client/lib/lazy-part.ts';
import type { MergedSearchHit } from '#shared/search.ts';
import classes from './hit-row.module.css';
import { type HitWords, hitText } from './hit-text.ts';
import { ScoreBar } from './score-bar.tsx';
import type { Votes } from './use-votes.ts';

const HitVotes = laterPart(async () => ({ default: (await import('./hit-votes.tsx')).HitVotes }));
const WhyHit = lazy(() => import('./why-hit.tsx').then((module) => ({ default: module.WhyHit })));

interface HitRowProps {
  hit: MergedSearchHit;
  /** The one whose meaning is nearest to what was searched for; null: it is not known (yet). */
  sentence: string | null;
  /** The collection's name is shown: there are hits of several. */
  isNamed: boolean;
  /** The score of a full bar; null: without a query all scores are alike and say nothing. */
  fullScore: number | null;
  isOpen: boolean;
  onOpen: () => void;
  /** Whether what the score is made of is shown. */
  isExplained: boolean;
  onExplain: () => void;
  /** Why it stands below the hit above. */
  below: string | null;
  votes: Votes;
}

/** One hit on three to four lines: what it is called, what it says, some facts. */
export function HitRow(props: HitRowProps) {
  const { hit, sentence, isNamed, fullScore, isOpen, onOpen, isExplained, onExplain, below, votes } = props;
  const { title, text, fields } = hitText(hit);
  return (
    <li className={classes['hit']} data-open={isOpen || undefined}>
      <div className={classes['head']}>
        <h2 className={classes['title']} dir="auto">
          {/* The whole row opens it; for the keyboard and screen readers it is this button. */}
          <button type="button" className={classes['open']} data-hit aria-expanded={isOpen} onClick={onOpen}>
            <Words {...title} />
          </button>
        </h2>
        {isNamed && (
          <Badge color="gray" className={classes['collection'] ?? ''}>
            {hit.collection.name}
          </Badge>
        )}
        {fullScore !== null && (
          <ScoreBar hit={hit} full={fullScore} isOpen={isExplained} onToggle={onExplain} />
        )}
      </div>
      {(text || sentence !== null) && (
        <p className={classes['text']} dir="auto">
          {/* Where words are marked they are what brought it here; elsewhere the sentence is. */}
          {sentence !== null && !text?.isSnippet ? (
            <span className={classes['meaning']} title="The sentence nearest in meaning">
              {sentence}
            </span>
          ) : (
            text && <Words {...text} />
          )}
        </p>
      )}
      {(fields.length > 0 || votes !== undefined) && (
        <div className={classes['foot']}>
          {fields.length > 0 && (
            <dl className={classes['fields']}>
              {fields.map(({ name, label, value }) => (
                <div key={name}>
                  <dt>{label}</dt>
                  <dd>
                    <Words {...value} />
                  </dd>
                </div>
              ))}
            </dl>
          )}
          {votes && (
            <Suspense>
              <HitVotes {...votes} hit={hit} title={titleOf(hit.id, hit.document)} />
            </Suspense>
          )}
        </div>
      )}
      {isExplained && (
        <Suspense>
          <WhyHit hit={hit} below={below} sentence={sentence} />
        </Suspense>
      )}
    </li>
  );
}

function Words({ text, isSnippet }: HitWords) {
  return isSnippet ? <MarkedText snippet={text} /> : text;
}
