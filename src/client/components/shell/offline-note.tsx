import { useIsOnline } from '#client/lib/use-is-online.ts';
import { Icon } from '../display/icon.tsx';
import { alertTriangleIcon } from '../display/icon-shapes.gen.ts';
import classes from './offline-note.module.css';

/** Above the page while there is no network. */
export function OfflineNote() {
  const isOnline = useIsOnline();
  return (
    <div role="status">
      {!isOnline && (
        <div className={classes['note']}>
          <Icon shape={alertTriangleIcon} size={16} />
          You are offline. What is loaded can still be read; changes and searches fail until you are back.
        </div>
      )}
    </div>
  );
}
