import { Button, Skeleton, Text } from '@mantine/core';
import { type ReactNode, Suspense, useState } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { chartBarIcon, tableIcon } from '#client/components/display/icon-shapes.gen.ts';
import { Panel } from '#client/components/display/panel.tsx';
import classes from './chart-panel.module.css';

interface ChartPanelProps {
  title: string;
  /** What the chart shows in one sentence; to a screen reader it is one picture. */
  summary: string;
  /** Fetched apart: it may suspend. */
  chart: ReactNode;
  /** In place of a chart that would show nothing; null: it shows something. */
  nothing?: string | null;
  /** The same figures. */
  table: ReactNode;
  children?: ReactNode;
}

/** A chart, or the table with the same rows. */
export function ChartPanel({ title, summary, chart, nothing = null, table, children }: ChartPanelProps) {
  const [isTable, setIsTable] = useState(false);
  const viewAs = isTable ? 'View as chart' : 'View as table';
  return (
    <Panel
      title={title}
      action={
        <Button
          size="compact-sm"
          variant="subtle"
          aria-label={`${viewAs}: ${title}`}
          leftSection={<Icon shape={isTable ? chartBarIcon : tableIcon} />}
          onClick={() => setIsTable(!isTable)}
        >
          {viewAs}
        </Button>
      }
    >
      {children}
      {isTable ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <section className={classes['table']} aria-label={`${title} as a table`} tabIndex={0}>
          {table}
        </section>
      ) : nothing === null ? (
        <div role="img" aria-label={summary} className={classes['chart']}>
          <Suspense fallback={<Skeleton height="14rem" radius="md" />}>{chart}</Suspense>
        </div>
      ) : (
        <Text size="sm" c="dimmed" className={classes['nothing'] ?? ''}>
          {nothing}
        </Text>
      )}
    </Panel>
  );
}
