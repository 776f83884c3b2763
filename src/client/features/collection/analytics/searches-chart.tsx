import { formatNumber } from '#client/lib/format.ts';
import type { Analytics } from '#shared/analytics.ts';
import classes from './analytics-tab.module.css';

const day = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' });
const dayLabel = (date: string) => day.format(new Date(`${date}T00:00:00Z`));

/** Searches by day, those without results apart. To a screen reader the chart is one picture with its sums and its highest day. */
export function SearchesChart({ days }: { days: Analytics['days'] }) {
  const most = Math.max(1, ...days.map(({ searches }) => searches));
  const total = days.reduce((sum, { searches }) => sum + searches, 0);
  const highest = days.find(({ searches }) => searches === most);
  const at = highest ? `, the most on ${dayLabel(highest.date)}: ${formatNumber(most)}` : '';
  const [first, last] = [days[0], days.at(-1)];
  return (
    <div>
      <div
        role="img"
        aria-label={`${formatNumber(total)} searches over ${days.length} days${at}`}
        className={classes['chart']}
      >
        {days.map(({ date, searches, without_results: without }) => (
          <div
            key={date}
            className={classes['day']}
            title={`${dayLabel(date)}: ${formatNumber(searches)} searches, ${formatNumber(without)} without results`}
          >
            <div className={classes['without']} style={{ height: `${(without / most) * 100}%` }} />
            <div className={classes['with']} style={{ height: `${((searches - without) / most) * 100}%` }} />
          </div>
        ))}
      </div>
      <div className={classes['axis']} aria-hidden="true">
        <span>{first && dayLabel(first.date)}</span>
        <span className={classes['legend']}>with results</span>
        <span className={classes['legend']} data-without>
          without
        </span>
        <span>{last && dayLabel(last.date)}</span>
      </div>
    </div>
  );
}
