import classes from './keys.module.css';

/** One shortcut as the reader's keyboard names it. */
export function Keys({ keys }: { keys: readonly string[] }) {
  return (
    <span className={classes['keys']}>
      {keys.map((key) => (
        <kbd key={key} className={classes['key']}>
          {key === 'Mod' ? modifier : key}
        </kbd>
      ))}
    </span>
  );
}

const modifier = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';
