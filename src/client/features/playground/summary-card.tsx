import { Paper } from '@mantine/core';
import type { PlaygroundTab } from '#shared/playground.ts';
import type { Endpoint } from './endpoints.ts';
import classes from './summary-card.module.css';

const labels: Record<PlaygroundTab, string> = {
  Collections: 'Collection management',
  Documents: 'Document operations',
  Search: 'Search operations',
  Synonyms: 'Synonym management',
  Overrides: 'Override management',
};

/** How many endpoints there are of each kind, and in all. */
export function SummaryCard({ endpoints }: { endpoints: Endpoint[] }) {
  const counts = Object.entries(labels).map(
    ([tab, label]) => [label, endpoints.filter((endpoint) => endpoint.tab === tab).length] as const,
  );
  return (
    <Paper component="section" aria-label="Endpoints" withBorder className={classes['card'] ?? ''}>
      <dl className={classes['counts']}>
        {[...counts, ['Total endpoints', endpoints.length] as const].map(([label, count]) => (
          <div key={label} className={classes['count']}>
            <dt>{label}</dt>
            <dd>{count}</dd>
          </div>
        ))}
      </dl>
    </Paper>
  );
}
