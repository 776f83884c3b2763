import classes from './brand.module.css';

/** The mark and the name. */
export function Brand() {
  return (
    <div className={classes['brand']}>
      <svg viewBox="0 0 32 32" width="32" height="32" aria-hidden="true" focusable="false">
        <rect width="32" height="32" rx="9" className={classes['tile']} />
        <path d="M8 9.5 16 23l8-13.5" className={classes['stroke']} />
        <circle cx="16" cy="9.5" r="2.4" className={classes['dot']} />
      </svg>
      <span className={classes['name']}>Vectora</span>
    </div>
  );
}
