import { Paper, Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { chevronRightIcon } from '#client/components/display/icon-shapes.gen.ts';
import classes from './facet-panel.module.css';

/** The frame of whatever narrows: beside the results there is room; above them, on a phone, it starts folded. */
export function NarrowPanel({ counted, children }: { counted?: string; children: ReactNode }) {
  return (
    <Paper component="aside" aria-label="Narrow the results" withBorder className={classes['panel'] ?? ''}>
      <details className={classes['fold']} open={isWide()}>
        <summary className={classes['summary']}>
          <Icon shape={chevronRightIcon} size={16} />
          <span>
            Narrow the results
            {counted && <span className={classes['counted']}>{counted}</span>}
          </span>
        </summary>
        {children}
      </details>
    </Paper>
  );
}

/** Holds the panel's place while it is not known what a collection can be narrowed by. */
export function FacetSkeleton() {
  return (
    <div aria-hidden="true" className={classes['waiting']}>
      {['first', 'second', 'third'].map((key) => (
        <div key={key}>
          <Skeleton height={12} width="40%" mb={10} />
          <Skeleton height={12} mb={8} />
          <Skeleton height={12} width="80%" mb={8} />
          <Skeleton height={12} width="90%" mb={20} />
        </div>
      ))}
    </div>
  );
}

function isWide(): boolean {
  return window.matchMedia('(width >= 62em)').matches;
}
