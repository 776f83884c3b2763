import { Keys } from '#client/components/display/keys.tsx';
import { shortcutsOf } from '#client/components/shell/shortcuts.ts';
import { useNavigation } from '#client/components/shell/use-navigation.ts';
import classes from './shortcuts-help.module.css';

/** Every key of the console, from the table that its handler reads. */
export function ShortcutsHelp() {
  const shortcuts = shortcutsOf(useNavigation());
  return (
    <dl className={classes['list']}>
      {shortcuts.map(({ keys, label }) => (
        <div key={label} className={classes['row']}>
          <dt>{label}</dt>
          <dd>
            <Keys keys={keys} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
