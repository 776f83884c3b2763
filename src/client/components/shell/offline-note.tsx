import { UnstyledButton } from '@mantine/core';
import { askServer } from '#client/lib/reachability.ts';
import { useReachability, useRecovery } from '#client/lib/use-reachability.ts';
import { Icon } from '../display/icon.tsx';
import { alertTriangleIcon } from '../display/icon-shapes.gen.ts';
import classes from './offline-note.module.css';

/** Above the page while there is no network, or no server at its other end. */
export function OfflineNote() {
  const state = useReachability();
  useRecovery();
  return (
    <div role="status">
      {state !== 'reachable' && (
        <div className={classes['note']}>
          <Icon shape={alertTriangleIcon} size={16} />
          {state === 'offline' ? (
            'You are offline. What is loaded can still be read; changes and searches fail until you are back.'
          ) : (
            <span>
              The server cannot be reached. This page asks again by itself.{' '}
              <UnstyledButton className={classes['ask'] ?? ''} onClick={() => askServer()}>
                Ask now
              </UnstyledButton>
            </span>
          )}
        </div>
      )}
    </div>
  );
}
