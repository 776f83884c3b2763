import type { ComponentType, SVGProps } from 'react';
import classes from './icon.module.css';

/** One of Tabler's icons: `import IconKey from '@tabler/icons-react/dist/esm/icons/IconKey.mjs'`. */
export type IconShape = ComponentType<
  Omit<SVGProps<SVGSVGElement>, 'stroke'> & { size?: number | string; stroke?: number }
>;

/**
 * `<Icon shape={IconKey} />`, 1.25em unless `size` (px) is given. Decoration only (hidden from screen readers): a button that has
 * nothing else needs an `aria-label`.
 */
export function Icon({ shape: Shape, size }: { shape: IconShape; size?: number }) {
  return (
    <Shape
      size={size ?? '1.25em'}
      stroke={1.75}
      className={classes['icon'] ?? ''}
      aria-hidden="true"
      focusable="false"
    />
  );
}
