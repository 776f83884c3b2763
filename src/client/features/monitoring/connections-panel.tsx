import { formatNumber } from '#client/lib/format.ts';
import type { Monitoring } from '#shared/monitoring.ts';
import { ChartPanel } from './chart-panel.tsx';
import classes from './connections-panel.module.css';
import { ConnectionsChart } from './lazy-charts.ts';
import { rangeWords } from './monitoring-state.ts';
import { type Column, PointTable } from './point-table.tsx';

const told = (value: number | null) => (value === null ? '–' : String(value));
const columns: Column[] = [
  { name: 'API', value: ({ apiConnections }) => told(apiConnections) },
  { name: 'Live', value: ({ liveConnections }) => told(liveConnections) },
];

/** Open connections: those that ask, and those that hear of changes. */
export function ConnectionsPanel({ data }: { data: Monitoring }) {
  const { apiConnections, liveConnections } = data.now;
  return (
    <ChartPanel
      title="Active connections"
      summary={`Bar chart of open connections in the last ${rangeWords[data.range]}, on average over each part of it`}
      chart={<ConnectionsChart data={data} />}
      table={<PointTable data={data} columns={columns} />}
    >
      <dl className={classes['now']}>
        <Now name="Total" value={apiConnections + liveConnections} />
        <Now name="API" value={apiConnections} />
        <Now name="Live" value={liveConnections} />
      </dl>
    </ChartPanel>
  );
}

function Now({ name, value }: { name: string; value: number }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{formatNumber(value)}</dd>
    </div>
  );
}
