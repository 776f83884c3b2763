import classes from './icon.module.css';

/** One of Tabler's icons: its SVG path data, on a grid of 24 by 24. */
export type IconShape = readonly string[];

/**
 * `<Icon shape={keyIcon} />`, 1.25em unless `size` (px) is given. Decoration only (hidden from screen readers): a button that has
 * nothing else needs an `aria-label`.
 */
export function Icon({ shape, size }: { shape: IconShape; size?: number }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size ?? '1.25em'}
      height={size ?? '1.25em'}
      fill="none"
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      className={classes['icon']}
      aria-hidden="true"
      focusable="false"
    >
      {shape.map((path) => (
        <path key={path} d={path} />
      ))}
    </svg>
  );
}
