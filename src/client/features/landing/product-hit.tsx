import { Text } from '@mantine/core';
import { MarkedText } from '#client/components/display/marked-text.tsx';
import type { DemoHit } from '#shared/demo.ts';
import classes from './product-hit.module.css';

/** One product, with the bar that says how much of its score comes from words and how much from meaning. */
export function ProductHit({ hit }: { hit: DemoHit }) {
  return (
    <li className={classes['hit']}>
      <div className={classes['head']}>
        <Text fw={600} component="h2" size="md">
          {hit.name}
        </Text>
        <Text fw={600} component="span" className={classes['price'] ?? ''}>
          ${hit.price}
        </Text>
      </div>
      <Text size="sm">
        <Description {...hit} />
      </Text>
      <div className={classes['foot']}>
        <Text size="xs" c="dimmed">
          {hit.brand} · {hit.category}
        </Text>
        <ScoreBar {...hit} />
      </div>
    </li>
  );
}

function ScoreBar({ score, parts }: DemoHit) {
  const label = `Score ${score.toFixed(3)}: words ${parts.words.toFixed(3)}, meaning ${parts.meaning.toFixed(3)}`;
  return (
    <div className={classes['score']}>
      <svg
        className={classes['bar']}
        viewBox="0 0 100 6"
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        <rect className={classes['track']} width="100" height="6" />
        <rect className={classes['words']} width={parts.words * 100} height="6" />
        <rect className={classes['meaning']} x={parts.words * 100} width={parts.meaning * 100} height="6" />
      </svg>
      <span aria-hidden="true">{score.toFixed(3)}</span>
    </div>
  );
}

function Description({ description, highlights }: DemoHit) {
  const marked = highlights.find(({ field }) => field === 'description');
  return marked ? <MarkedText snippet={marked.snippet} /> : description;
}
