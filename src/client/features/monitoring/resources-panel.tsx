import { Progress, Text } from '@mantine/core';
import { formatBytes } from '#client/lib/format.ts';
import type { HostNow, Monitoring } from '#shared/monitoring.ts';
import { ChartPanel } from './chart-panel.tsx';
import { formatShare } from './figure-words.ts';
import { LoadChart } from './lazy-charts.ts';
import { rangeWords } from './monitoring-state.ts';
import { type Column, PointTable } from './point-table.tsx';
import classes from './resources-panel.module.css';

const columns: Column[] = [
  { name: 'CPU', value: ({ cpu }) => formatShare(cpu) },
  { name: 'Memory', value: ({ memory }) => formatShare(memory) },
  { name: 'Disk', value: ({ disk }) => formatShare(disk) },
];

/** The machine's processors, memory and disk: at this moment, and over the range. */
export function ResourcesPanel({ data }: { data: Monitoring }) {
  return (
    <ChartPanel
      title="Resource usage"
      summary={`Line chart of CPU, memory and disk in the last ${rangeWords[data.range]}, on average over each part of it`}
      chart={<LoadChart data={data} />}
      table={<PointTable data={data} columns={columns} />}
    >
      <div className={classes['bars']}>
        {barsOf(data.now).map((bar) => (
          <Bar key={bar.name} {...bar} />
        ))}
      </div>
    </ChartPanel>
  );
}

interface BarProps {
  name: string;
  /** Null: it is not known. */
  share: number | null;
  detail: string;
}

function barsOf({ cpu, processors, memory, disk }: HostNow): BarProps[] {
  const amount = ({ used, total }: { used: number; total: number }) =>
    `${formatBytes(used)} of ${formatBytes(total)}`;
  return [
    { name: 'CPU', share: cpu, detail: `${processors} ${processors === 1 ? 'processor' : 'processors'}` },
    { name: 'Memory', share: memory.used / memory.total, detail: amount(memory) },
    {
      name: 'Disk',
      share: disk && disk.total > 0 ? disk.used / disk.total : null,
      detail: disk ? amount(disk) : 'not told by the system',
    },
  ];
}

const levels = { high: 0.75, full: 0.9 };

function Bar({ name, share, detail }: BarProps) {
  const color = share === null || share < levels.high ? 'iris.5' : share < levels.full ? 'orange.7' : 'red.7';
  return (
    <div>
      <div className={classes['words']}>
        <Text size="sm" fw={500}>
          {name}
        </Text>
        <Text size="sm" fw={600} className={classes['share'] ?? ''}>
          {formatShare(share, 0)}
        </Text>
      </div>
      <Progress.Root size="md">
        <Progress.Section value={(share ?? 0) * 100} color={color} aria-label={`${name} in use`} />
      </Progress.Root>
      <Text size="xs" c="dimmed" mt={4}>
        {detail}
      </Text>
    </div>
  );
}
