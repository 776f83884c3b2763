import { formatCompact, formatNumber } from '#client/lib/format.ts';
import type { ApiUsage } from '#shared/dashboard.ts';
import { dayLabel } from './day-label.ts';
import classes from './usage-chart.module.css';

/** No bar is lower than this, so that a quiet day is still seen; the label above it is the true value. */
const heightPercentMin = 10;

export function barHeightPercent(requests: number, requestsMax: number): number {
  return requestsMax === 0 ? heightPercentMin : Math.max(heightPercentMin, (requests / requestsMax) * 100);
}

/** Zero-based bars. To a screen reader the chart is one picture; the table beside it has the figures. */
export function UsageChart({ days }: { days: ApiUsage[] }) {
  const most = Math.max(0, ...days.map((day) => day.requests));
  const total = days.reduce((sum, day) => sum + day.requests, 0);
  return (
    <div
      role="img"
      aria-label={`Bar chart of ${formatNumber(total)} API requests over ${days.length} days`}
      className={classes['chart']}
    >
      {days.map(({ date, requests }) => (
        <div key={date} className={classes['day']}>
          <div className={classes['track']}>
            <div
              className={classes['bar']}
              data-empty={requests === 0}
              style={{ height: `${barHeightPercent(requests, most)}%` }}
            >
              <span className={classes['value']}>{formatCompact(requests)}</span>
            </div>
          </div>
          <span className={classes['label']}>{dayLabel(date, 'short')}</span>
        </div>
      ))}
    </div>
  );
}
