import { Text } from '@mantine/core';
import type { RelevanceMeans } from '#shared/comparisons.ts';
import { figures } from '../../relevance/measure-figures.tsx';
import classes from './compare-panel.module.css';
import { differenceWords } from './kind-words.ts';

/** The three means before and after, and in words what that is. */
export function ComparedFigures({ before, after }: { before: RelevanceMeans; after: RelevanceMeans }) {
  return (
    <div className={classes['figures']}>
      {figures.map(({ name, label, text, meaning }) => {
        const words = differenceWords(before[name], after[name], text);
        return (
          <section key={name} aria-label={label} title={meaning} className={classes['figure']}>
            <Text size="sm" fw={500} c="dimmed">
              {label}
            </Text>
            <p className={classes['values']}>
              <span className={classes['was']}>{text(before[name])}</span>{' '}
              <span aria-hidden="true" className={classes['was']}>
                →
              </span>{' '}
              {text(after[name])}
            </p>
            <Change words={words} />
          </section>
        );
      })}
    </div>
  );
}

/** By its words, not by its colour alone. */
export function Change({ words }: { words: string }) {
  const [kind] = words.split(' ');
  return (
    <span className={classes['change']} data-change={kind}>
      {words}
    </span>
  );
}
