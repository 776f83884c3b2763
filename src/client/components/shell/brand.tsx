import classes from './brand.module.css';

/** The mark and the name: the way of the words and the way of the meaning, which meet in the hit. */
export function Brand() {
  return (
    <div className={classes['brand']}>
      <svg viewBox="0 0 32 32" width="32" height="32" aria-hidden="true" focusable="false">
        <rect width="32" height="32" rx="9" className={classes['tile']} />
        <path d="M8.5 9 16 22.5" className={classes['words']} />
        <path d="M23.5 9 16 22.5" className={classes['meaning']} />
        <circle cx="16" cy="22.5" r="3" className={classes['hit']} />
      </svg>
      <span className={classes['name']}>Vectora</span>
    </div>
  );
}
