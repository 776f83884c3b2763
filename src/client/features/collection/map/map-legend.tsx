import { Text, UnstyledButton } from '@mantine/core';
import { formatNumber } from '#client/lib/format.ts';
import classes from './map-legend.module.css';
import type { PointColors } from './point-colors.ts';

interface MapLegendProps {
  /** What the colors mean. */
  title: string;
  colors: PointColors;
  /** The entry whose points are selected. */
  selected: number | null;
  onSelect: (entry: number | null) => void;
}

/** What the colors mean, each a button that selects its documents. */
export function MapLegend({ title, colors, selected, onSelect }: MapLegendProps) {
  if (colors.kind === 'plain') return null;
  return (
    <div className={classes['legend']}>
      <Text size="xs" c="dimmed" fw={600} className={classes['title'] ?? ''}>
        {title}
      </Text>
      <ul className={classes['entries']} aria-label={`Colors: ${title}`}>
        {colors.entries.map(({ label, color, count }, entry) => (
          <li key={color}>
            <UnstyledButton
              className={classes['entry'] ?? ''}
              aria-pressed={selected === entry}
              aria-label={`${label}, ${formatNumber(count)} documents`}
              title={label}
              onClick={() => onSelect(selected === entry ? null : entry)}
            >
              <span className={classes['swatch']} style={{ background: `var(${color})` }} />
              <span className={classes['label']} dir="auto">
                {label}
              </span>
              <span className={classes['count']}>{formatNumber(count)}</span>
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </div>
  );
}
