import classes from './skip-link.module.css';

/** The first thing Tab reaches on every page. */
export function SkipLink() {
  return (
    <a className={classes['link']} href="#main">
      Skip to content
    </a>
  );
}
