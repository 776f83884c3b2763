import { Paper } from '@mantine/core';
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

function isWide(): boolean {
  return window.matchMedia('(width >= 62em)').matches;
}
