import { Action, Close, Description, Provider, Root, Title, Viewport } from '@radix-ui/react-toast';
import { useSyncExternalStore } from 'react';
import { currentToast, dismissToast, subscribeToToasts } from '#client/lib/toast.ts';
import { Icon } from '../display/icon.tsx';
import { alertTriangleIcon, checkIcon, xIcon } from '../display/icon-shapes.gen.ts';
import classes from './toaster.module.css';

const durationMs = 5_000;
const actionDurationMs = 10_000;

/** Shows what `toast()` is given: one region named Notification, F8 moves the focus there, a swipe to the right dismisses. */
export function Toaster() {
  const shown = useSyncExternalStore(subscribeToToasts, currentToast);
  return (
    <Provider label="Notification" duration={durationMs} swipeDirection="right" swipeThreshold={50}>
      {shown && (
        <Root
          key={shown.id}
          className={classes['toast']}
          data-kind={shown.kind ?? 'default'}
          type={shown.kind === 'error' || shown.action ? 'foreground' : 'background'}
          duration={shown.action ? actionDurationMs : durationMs}
          open={shown.open}
          onOpenChange={(open) => {
            if (!open) dismissToast(shown.id);
          }}
        >
          <span className={classes['icon']}>
            <Icon shape={shown.kind === 'error' ? alertTriangleIcon : checkIcon} size={18} />
          </span>
          <div className={classes['words']}>
            <Title className={classes['title']}>{shown.title}</Title>
            {shown.description && (
              <Description className={classes['description']}>{shown.description}</Description>
            )}
          </div>
          {shown.action && (
            <Action
              className={classes['action']}
              altText={shown.action.altText}
              onClick={shown.action.onClick}
            >
              {shown.action.label}
            </Action>
          )}
          <Close className={classes['close']} aria-label="Close">
            <Icon shape={xIcon} size={16} />
          </Close>
        </Root>
      )}
      <Viewport className={classes['viewport']} hotkey={['F8']} label="Notification" />
    </Provider>
  );
}
