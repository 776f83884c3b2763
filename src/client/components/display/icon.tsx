import classes from './icon.module.css';

/**
 * The console's icons: `<Icon name="search" />`, 1.25em unless `size` (px) is given. Decoration only (hidden from screen readers):
 * a button that has nothing else needs an `aria-label`. Drawn on a 24 grid, one path each, stroke 1.75.
 */
const paths = {
  activity: 'M3 12h4l3-8 4 16 3-8h4',
  alert: 'M12 3.5 2.5 20h19L12 3.5ZM12 10v4.5M12 17.2v.1',
  arrowLeft: 'M19 12H5M11 6l-6 6 6 6',
  arrowRight: 'M5 12h14M13 6l6 6-6 6',
  bolt: 'M13 2.5 4.5 13.5H12l-1 8 8.5-11H12l1-8Z',
  book: 'M4 5.5A2.5 2.5 0 0 1 6.5 3H20v15H6.5A2.5 2.5 0 0 0 4 20.5v-15ZM4 20.5A2.5 2.5 0 0 0 6.5 21H20v-3',
  chart: 'M4 20h16M7 20v-6M12 20V5M17 20v-9',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  chevronDown: 'm6 9.5 6 6 6-6',
  chevronLeft: 'm14.5 6-6 6 6 6',
  chevronRight: 'm9.5 6 6 6-6 6',
  clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM12 7.5V12l3 2',
  code: 'm8.5 7-5 5 5 5M15.5 7l5 5-5 5',
  collection: 'M12 3 3 7.5l9 4.5 9-4.5L12 3ZM3 12l9 4.5 9-4.5M3 16.5 12 21l9-4.5',
  copy: 'M9 9h11v11H9V9ZM5.5 15H4V4h11v1.5',
  dashboard: 'M4 4h7v8H4V4ZM13 4h7v5h-7V4ZM13 11.5h7V20h-7v-8.5ZM4 14.5h7V20H4v-5.5Z',
  document: 'M6 3h8l5 5v13H6V3ZM14 3v5h5M9 13h7M9 17h7',
  download: 'M12 4v11M7 11l5 5 5-5M4 20h16',
  edit: 'M4 20h4L19 9l-4-4L4 16v4ZM13 7l4 4',
  external: 'M13 4h7v7M20 4l-9 9M18 14v6H4V6h6',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12ZM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6Z',
  eyeOff:
    'M4 4l16 16M9.5 5.8A9 9 0 0 1 12 5.5c6 0 9.5 6.5 9.5 6.5a17 17 0 0 1-3 3.8M6.2 7.6A16 16 0 0 0 2.5 12S6 18.5 12 18.5c1.6 0 3-.4 4.2-1M10 10a3 3 0 0 0 4 4',
  filter: 'M3 5h18l-7 8.5V20l-4-2v-4.5L3 5Z',
  folder: 'M3 6a1 1 0 0 1 1-1h5l2.5 3H20a1 1 0 0 1 1 1v10H3V6Z',
  heart: 'M12 20S3.5 15 3.5 9A4.5 4.5 0 0 1 12 7a4.5 4.5 0 0 1 8.5 2c0 6-8.5 11-8.5 11Z',
  info: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM12 11v5.5M12 7.6v.1',
  key: 'M8 10.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9ZM11.3 11.8 20 3.5M16 7.3l3 3',
  logout: 'M10 4H4v16h6M15 8l4 4-4 4M19 12H9',
  menu: 'M4 6.5h16M4 12h16M4 17.5h16',
  monitor: 'M3 4h18v12H3V4ZM8 20h8M12 16v4',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5Z',
  more: 'M5 11.25a.75.75 0 1 0 0 1.5.75.75 0 0 0 0-1.5ZM12 11.25a.75.75 0 1 0 0 1.5.75.75 0 0 0 0-1.5ZM19 11.25a.75.75 0 1 0 0 1.5.75.75 0 0 0 0-1.5Z',
  plus: 'M12 5v14M5 12h14',
  refresh: 'M20 5v5h-5M4 19v-5h5M19.5 10A8 8 0 0 0 5.6 7M4.5 14a8 8 0 0 0 13.900 3',
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM15.5 15.5 20.5 20.5',
  settings: 'M4 7h9M17 7h3M15 4.5v5M4 17h3M11 17h9M9 14.5v5',
  shield: 'M12 3 4.5 6v5.5c0 4.5 3 8 7.5 9.5 4.5-1.5 7.5-5 7.5-9.5V6L12 3ZM8.5 12l2.5 2.5 4.5-5',
  sidebar: 'M4 4.5h16v15H4v-15ZM9.5 4.5v15',
  sparkles: 'M11 4l1.800 5.2L18 11l-5.2 1.800L11 18l-1.800-5.2L4 11l5.2-1.800L11 4ZM18.5 15v5M16 17.5h5',
  star: 'm12 3.5 2.6 5.5 6 .8-4.4 4.2 1.100 6L12 17l-5.300 3 1.100-6-4.4-4.2 6-.8L12 3.5Z',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.300 5.300l1.4 1.4M17.300 17.300l1.4 1.4M18.700 5.300l-1.4 1.4M6.700 17.300l-1.4 1.4',
  table: 'M3.5 5h17v14h-17V5ZM3.5 10h17M3.5 14.5h17M9.5 10v9',
  terminal: 'M3 4.5h18v15H3v-15ZM7 9.5l3 2.5-3 2.5M12.5 15H17',
  trash: 'M4 6.5h16M9 6.5V4h6v2.5M6 6.5 7 20.5h10l1-14M10 11v5.5M14 11v5.5',
  upload: 'M12 16V5M7 9l5-5 5 5M4 20h16',
  user: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM4.5 20.5c.5-4 3.5-6 7.5-6s7 2 7.5 6',
  users:
    'M9 5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7ZM2.5 19.5c.4-3.5 3-5 6.5-5s6.100 1.5 6.5 5M15.5 5.2a3.5 3.5 0 0 1 0 6.6M18 15c2 .6 3.2 2 3.5 4.5',
  workspace: 'M12 3 4 7.5v9l8 4.5 8-4.5v-9L12 3ZM4 7.5l8 4.5 8-4.5M12 12v9',
  x: 'M6 6l12 12M18 6 6 18',
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name, size }: { name: IconName; size?: number }) {
  return (
    <svg
      className={classes['icon']}
      viewBox="0 0 24 24"
      aria-hidden="true"
      focusable="false"
      {...(size ? { width: size, height: size } : {})}
    >
      <path d={paths[name]} />
    </svg>
  );
}
