import { Checkbox, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { AnchorLink } from '#client/components/display/links.tsx';
import { Pager } from '#client/components/display/pager.tsx';
import { TablePanel } from '#client/components/display/table-panel.tsx';
import { pageOf } from '#client/lib/page-of.ts';
import classes from './map-table.module.css';
import type { PointColors } from './point-colors.ts';

interface MapTableProps {
  collection: number;
  ids: string[];
  titleOf: (point: number) => string;
  /** Null: nothing colors the points. */
  colorTitle: string | null;
  valueOf: (point: number) => string;
  colors: PointColors;
  nearestTo: (point: number) => number[];
  /** Those that are listed; null: all. */
  lit: ReadonlySet<number> | null;
  selected: ReadonlySet<number>;
  onToggle: (point: number) => void;
}

/** The map's documents as rows, those of a color together, each with the ones that lie nearest to it. */
export function MapTable({ collection, colors, titleOf, lit, ...props }: MapTableProps) {
  const [wanted, setPage] = useState(1);
  const points = useMemo(() => {
    const all = props.ids.map((_, point) => point).filter((point) => lit === null || lit.has(point));
    const byTitle = new Map(all.map((point) => [point, titleOf(point)]));
    return all.toSorted(
      (a, b) =>
        (colors.entryOf[a] ?? 0) - (colors.entryOf[b] ?? 0) ||
        (byTitle.get(a) ?? '').localeCompare(byTitle.get(b) ?? ''),
    );
  }, [props.ids, colors, titleOf, lit]);
  const { shown, page, pages } = pageOf(points, wanted);
  return (
    <Stack gap="sm">
      <TablePanel
        minWidth={520}
        head={
          <>
            <th scope="col" style={{ width: 44 }}>
              <span className={classes['hidden']}>Selected</span>
            </th>
            <th scope="col">Document</th>
            {props.colorTitle !== null && <th scope="col">{props.colorTitle}</th>}
            <th scope="col">Nearest in meaning</th>
          </>
        }
      >
        {shown.map((point) => (
          <tr key={props.ids[point] ?? point}>
            <td>
              <Checkbox
                aria-label={`Select ${titleOf(point)}`}
                checked={props.selected.has(point)}
                onChange={() => props.onToggle(point)}
              />
            </td>
            <td className={classes['title']}>
              <AnchorLink
                to="/collections/$id"
                params={{ id: collection }}
                search={{ open: props.ids[point] }}
                size="sm"
                dir="auto"
              >
                {titleOf(point)}
              </AnchorLink>
            </td>
            {props.colorTitle !== null && (
              <td>
                <span className={classes['value']}>
                  <span
                    className={classes['swatch']}
                    style={{ background: `var(${colors.entries[colors.entryOf[point] ?? 0]?.color})` }}
                  />
                  <Text size="sm" dir="auto" className={classes['text'] ?? ''}>
                    {props.valueOf(point)}
                  </Text>
                </span>
              </td>
            )}
            <td>
              <Text size="sm" c="dimmed" dir="auto" lineClamp={2}>
                {props.nearestTo(point).slice(0, 3).map(titleOf).join(' · ')}
              </Text>
            </td>
          </tr>
        ))}
      </TablePanel>
      <Pager page={page} pages={pages} total={points.length} noun="documents" onChange={setPage} />
    </Stack>
  );
}
