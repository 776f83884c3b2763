import type { MonitoringPoint, MonitoringRange } from '#shared/monitoring.ts';
import { formatMinutes, pointLabel } from './figure-words.ts';
import classes from './uptime-strip.module.css';

/** So many marks are told apart on a card. */
const marksMax = 30;

type Mark = Pick<MonitoringPoint, 'at' | 'minutesUp' | 'minutes'>;

/** Points together, so that there are few enough to be seen. */
function marksOf(points: readonly Mark[]): Mark[] {
  const together = Math.ceil(points.length / marksMax);
  const groups = Array.from({ length: Math.ceil(points.length / together) }, (_, i) =>
    points.slice(i * together, (i + 1) * together),
  );
  return groups.map((group) => ({
    at: group[0]?.at ?? '',
    minutesUp: group.reduce((sum, { minutesUp }) => sum + minutesUp, 0),
    minutes: group.reduce((sum, { minutes }) => sum + minutes, 0),
  }));
}

function stateOf({ minutesUp, minutes }: Mark): 'none' | 'up' | 'partly' | 'down' {
  if (minutes === 0) return 'none';
  if (minutesUp === minutes) return 'up';
  return minutesUp === 0 ? 'down' : 'partly';
}

/** When the server ran: a mark for each part of the range. To a screen reader it is one picture. */
export function UptimeStrip({ points, range }: { points: MonitoringPoint[]; range: MonitoringRange }) {
  const marks = marksOf(points);
  const outages = marks.filter((mark) => mark.minutesUp < mark.minutes);
  const said = outages.map(
    (mark) => `${formatMinutes(mark.minutes - mark.minutesUp)} from ${pointLabel(mark.at, range)}`,
  );
  return (
    <div
      role="img"
      aria-label={said.length === 0 ? 'No minute without a server' : `Down: ${said.join(', ')}`}
      className={classes['strip']}
    >
      {marks.map((mark) => (
        <span key={mark.at} data-state={stateOf(mark)} title={titleOf(mark, range)} />
      ))}
    </div>
  );
}

function titleOf(mark: Mark, range: MonitoringRange): string {
  const from = `From ${pointLabel(mark.at, range)}`;
  if (mark.minutes === 0) return `${from}: nothing is known`;
  const down = mark.minutes - mark.minutesUp;
  return down === 0 ? `${from}: up` : `${from}: ${formatMinutes(down)} down`;
}
