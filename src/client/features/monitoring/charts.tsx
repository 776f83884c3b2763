import '@mantine/core/styles/ColorSwatch.layer.css';
import '@mantine/charts/styles.layer.css';
import { BarChart, LineChart } from '@mantine/charts';
import { formatCompact } from '#client/lib/format.ts';
import type { Monitoring } from '#shared/monitoring.ts';
import { formatMs, formatShare, pointLabel } from './figure-words.ts';

/** The charts of the page: with their library they weigh as much as the rest of the console, so they are fetched apart. */

interface ChartProps {
  data: Monitoring;
}

const common = {
  h: '14rem',
  dataKey: 'from',
  gridAxis: 'x',
  tickLine: 'none',
  withLegend: true,
  // In the order of the series.
  legendProps: { verticalAlign: 'bottom', height: 28, itemSorter: null },
  xAxisProps: { minTickGap: 32 },
} as const;

/** They are pictures: the table has the figures for the keyboard. */
const still = { accessibilityLayer: false };

const rowsOf = ({ points, range }: Monitoring) =>
  points.map((point) => ({ ...point, from: pointLabel(point.at, range) }));

export function RequestsChart({ data }: ChartProps) {
  const rows = rowsOf(data).map(({ requests, clientErrors, serverErrors, from }) => ({
    from,
    clientErrors,
    serverErrors,
    succeeded: requests - clientErrors - serverErrors,
  }));
  return (
    <BarChart
      {...common}
      type="stacked"
      data={rows}
      series={[
        { name: 'succeeded', label: 'Succeeded', color: 'iris.5' },
        { name: 'clientErrors', label: '4xx', color: 'orange.7' },
        { name: 'serverErrors', label: '5xx', color: 'red.7' },
      ]}
      valueFormatter={formatCompact}
      barProps={{ isAnimationActive: false }}
      barChartProps={still}
      yAxisProps={{ allowDecimals: false, width: 44 }}
    />
  );
}

/** More of them hide the lines; of fewer, one may stand alone, where no line would show it. */
const dotsMax = 30;

export function ResponseTimeChart({ data }: ChartProps) {
  const answered = data.points.filter(({ p50 }) => p50 !== null).length;
  return (
    <LineChart
      {...common}
      data={rowsOf(data).map(({ from, p50, p95, p99 }) => ({ from, p50, p95, p99 }))}
      series={[
        { name: 'p50', color: 'iris.5' },
        { name: 'p95', color: 'orange.7', strokeDasharray: '6 3' },
        { name: 'p99', color: 'red.7', strokeDasharray: '2 3' },
      ]}
      curveType="monotone"
      connectNulls={false}
      withDots={answered <= dotsMax}
      dotProps={{ r: 2 }}
      valueFormatter={formatMs}
      lineProps={{ isAnimationActive: false }}
      lineChartProps={still}
      yAxisProps={{ width: 56 }}
    />
  );
}

export function LoadChart({ data }: ChartProps) {
  return (
    <LineChart
      {...common}
      data={rowsOf(data).map(({ from, cpu, memory, disk }) => ({ from, cpu, memory, disk }))}
      series={[
        { name: 'cpu', label: 'CPU', color: 'iris.5' },
        { name: 'memory', label: 'Memory', color: 'teal.7', strokeDasharray: '6 3' },
        { name: 'disk', label: 'Disk', color: 'orange.7', strokeDasharray: '2 3' },
      ]}
      curveType="monotone"
      connectNulls={false}
      withDots={false}
      valueFormatter={(value) => formatShare(value, 0)}
      lineProps={{ isAnimationActive: false }}
      lineChartProps={still}
      yAxisProps={{ domain: [0, 1], width: 52 }}
    />
  );
}

export function ConnectionsChart({ data }: ChartProps) {
  return (
    <BarChart
      {...common}
      type="stacked"
      data={rowsOf(data).map(({ from, apiConnections, liveConnections }) => ({
        from,
        apiConnections,
        liveConnections,
      }))}
      series={[
        { name: 'apiConnections', label: 'API', color: 'iris.5' },
        { name: 'liveConnections', label: 'Live', color: 'teal.7' },
      ]}
      valueFormatter={(value) => String(value)}
      barProps={{ isAnimationActive: false }}
      barChartProps={still}
      yAxisProps={{ allowDecimals: false, width: 36 }}
    />
  );
}
