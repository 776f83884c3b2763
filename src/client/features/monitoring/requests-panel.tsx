import { formatNumber } from '#client/lib/format.ts';
import type { Monitoring } from '#shared/monitoring.ts';
import { ChartPanel } from './chart-panel.tsx';
import { pointLabel } from './figure-words.ts';
import { RequestsChart } from './lazy-charts.ts';
import { rangeWords } from './monitoring-state.ts';
import { type Column, PointTable } from './point-table.tsx';

const columns: Column[] = [
  { name: 'Requests', value: ({ requests }) => formatNumber(requests) },
  { name: '4xx', value: ({ clientErrors }) => formatNumber(clientErrors) },
  { name: '5xx', value: ({ serverErrors }) => formatNumber(serverErrors) },
];

export function RequestsPanel({ data }: { data: Monitoring }) {
  return (
    <ChartPanel
      title="Requests"
      summary={summaryOf(data)}
      chart={<RequestsChart data={data} />}
      table={<PointTable data={data} columns={columns} />}
    />
  );
}

function summaryOf({ points, totals, range }: Monitoring): string {
  const all = `Bar chart of ${formatNumber(totals.requests)} requests in the last ${rangeWords[range]}`;
  const most = Math.max(...points.map(({ requests }) => requests));
  const highest = points.find(({ requests }) => requests === most);
  return highest && most > 0
    ? `${all}, the most from ${pointLabel(highest.at, range)}: ${formatNumber(most)}`
    : all;
}
