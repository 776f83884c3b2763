import { Paper, SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon, type IconShape } from '#client/components/display/icon.tsx';
import {
  activityIcon,
  alertTriangleIcon,
  clockBoltIcon,
  heartRateMonitorIcon,
} from '#client/components/display/icon-shapes.gen.ts';
import { formatCompact, formatDateTime, formatNumber } from '#client/lib/format.ts';
import type { Monitoring } from '#shared/monitoring.ts';
import classes from './figure-cards.module.css';
import { errorRateOf, formatChange, formatMinutes, formatMs, formatShare, uptimeOf } from './figure-words.ts';
import { rangeWords } from './monitoring-state.ts';
import { UptimeStrip } from './uptime-strip.tsx';

/** Uptime, requests, response time and error rate of the range. */
export function FigureCards({ data }: { data: Monitoring }) {
  const { totals, before, now, range } = data;
  const down = totals.minutes - totals.minutesUp;
  const change = formatChange(totals.requests, before.requests);
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="md">
      <Card label="Uptime" icon={heartRateMonitorIcon} value={formatShare(uptimeOf(totals), 2)}>
        <UptimeStrip points={data.points} range={range} />
        <Text size="xs" c="dimmed">
          {down > 0 ? `${formatMinutes(down)} down, ` : ''}
          <span title={formatDateTime(now.startedAt)}>
            {runningFor(minutesSince(now.startedAt, data.until))}
          </span>
        </Text>
      </Card>
      <Card
        label="Total Requests"
        icon={activityIcon}
        value={totals.requests < 100_000 ? formatNumber(totals.requests) : formatCompact(totals.requests)}
      >
        <Text size="xs" c="dimmed">
          {change === null
            ? `In the last ${rangeWords[range]}`
            : `${change} on the ${rangeWords[range]} before (${formatNumber(before.requests)})`}
        </Text>
      </Card>
      <Card label="Response Time" icon={clockBoltIcon} value={formatMs(totals.p50)} of="p50">
        <Parts
          parts={[
            ['p95', formatMs(totals.p95)],
            ['p99', formatMs(totals.p99)],
          ]}
        />
      </Card>
      <Card label="Error Rate" icon={alertTriangleIcon} value={formatShare(errorRateOf(totals), 2)}>
        <Parts
          parts={[
            ['4xx', formatNumber(totals.clientErrors)],
            ['5xx', formatNumber(totals.serverErrors)],
          ]}
        />
      </Card>
    </SimpleGrid>
  );
}

/** Never less than none, whatever the clocks say. */
function minutesSince(then: string, now: string): number {
  return Math.max(0, Math.floor((Date.parse(now) - Date.parse(then)) / 60_000));
}

function runningFor(minutes: number): string {
  return minutes === 0 ? 'just started' : `running for ${formatMinutes(minutes)}`;
}

interface CardProps {
  label: string;
  icon: IconShape;
  value: string;
  /** Which of several figures it is. */
  of?: string;
  children: ReactNode;
}

function Card(props: CardProps) {
  return (
    <Paper component="section" aria-label={props.label} withBorder className={classes['card'] ?? ''}>
      <div className={classes['top']}>
        <Text size="sm" c="dimmed" fw={500}>
          {props.label}
        </Text>
        <span className={classes['icon']}>
          <Icon shape={props.icon} size={18} />
        </span>
      </div>
      <p className={classes['value']}>
        {props.value}
        {props.of && <span className={classes['of']}> {props.of}</span>}
      </p>
      <div className={classes['rest']}>{props.children}</div>
    </Paper>
  );
}

function Parts({ parts }: { parts: [name: string, value: string][] }) {
  return (
    <dl className={classes['details']}>
      {parts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
