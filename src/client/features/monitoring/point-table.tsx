import table from '#client/components/display/table-panel.module.css';
import type { Monitoring, MonitoringPoint } from '#shared/monitoring.ts';
import { pointLabel } from './figure-words.ts';

export interface Column {
  name: string;
  value: (point: MonitoringPoint) => string;
}

/** The points of a range, newest first. */
export function PointTable({ data, columns }: { data: Monitoring; columns: Column[] }) {
  const { points, range } = data;
  return (
    <table className={table['table']}>
      <thead>
        <tr>
          <th scope="col">{range === '30d' ? 'Day (UTC)' : 'From'}</th>
          {columns.map(({ name }) => (
            <th key={name} scope="col" data-right>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {points.toReversed().map((point) => (
          <tr key={point.at}>
            <th scope="row">{pointLabel(point.at, range)}</th>
            {columns.map(({ name, value }) => (
              <td key={name} data-right>
                {value(point)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
