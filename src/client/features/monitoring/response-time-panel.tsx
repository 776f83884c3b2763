import type { Monitoring } from '#shared/monitoring.ts';
import { ChartPanel } from './chart-panel.tsx';
import { formatMs } from './figure-words.ts';
import { ResponseTimeChart } from './lazy-charts.ts';
import { rangeWords } from './monitoring-state.ts';
import { type Column, PointTable } from './point-table.tsx';

const columns: Column[] = [
  { name: 'p50', value: ({ p50 }) => formatMs(p50) },
  { name: 'p95', value: ({ p95 }) => formatMs(p95) },
  { name: 'p99', value: ({ p99 }) => formatMs(p99) },
];

export function ResponseTimePanel({ data }: { data: Monitoring }) {
  const { p50, p95, p99, requests } = data.totals;
  const why =
    requests === 0
      ? 'no request over the API was answered'
      : 'imports, exports and answers that are streamed take as long as what they bring, and are not timed';
  return (
    <ChartPanel
      title="Response time"
      summary={`Line chart of response times in the last ${rangeWords[data.range]}: half within ${formatMs(p50)}, 95 % within ${formatMs(p95)}, 99 % within ${formatMs(p99)}`}
      chart={<ResponseTimeChart data={data} />}
      nothing={
        p50 === null ? `Nothing was measured yet in the last ${rangeWords[data.range]}: ${why}.` : null
      }
      table={<PointTable data={data} columns={columns} />}
    />
  );
}
