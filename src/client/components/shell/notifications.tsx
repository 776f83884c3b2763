import { ActionIcon, Anchor, Indicator, Popover, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState, useSyncExternalStore } from 'react';
import { raisedWords } from '#client/lib/alert-words.ts';
import { formatAgo } from '#client/lib/format.ts';
import { type PastToast, pastToasts, subscribeToToasts } from '#client/lib/toast.ts';
import type { Alert } from '#shared/alerts.ts';
import { Icon } from '../display/icon.tsx';
import {
  alertTriangleIcon,
  bellIcon,
  checkIcon,
  exclamationCircleIcon,
  infoCircleIcon,
} from '../display/icon-shapes.gen.ts';
import classes from './notifications.module.css';

/** As Monitoring shows them. */
const alertIcons = {
  info: infoCircleIcon,
  warning: alertTriangleIcon,
  error: exclamationCircleIcon,
} as const;

/** Alerts that are active, and what the toasts have said since the page was opened: they go, and not everybody was looking. */
export function Notifications({ alerts = [] }: { alerts?: Alert[] }) {
  const past = useSyncExternalStore(subscribeToToasts, pastToasts);
  const [isOpen, setOpen] = useState(false);
  const [seenId, setSeenId] = useState(0);
  const newestId = past[0]?.id ?? 0;
  const isNew = past.filter(({ id }) => id > seenId).length;
  const toggle = (opened: boolean) => {
    setOpen(opened);
    setSeenId(newestId);
  };
  return (
    <Popover
      opened={isOpen}
      onChange={toggle}
      position="bottom-end"
      width={320}
      shadow="md"
      radius="md"
      trapFocus
      returnFocus
    >
      <Indicator
        disabled={isNew === 0 && alerts.length === 0}
        color={alerts.length > 0 ? 'red' : 'iris'}
        size={8}
        offset={6}
      >
        <Popover.Target>
          <ActionIcon size="lg" aria-label={labelOf(isNew, alerts.length)} onClick={() => toggle(!isOpen)}>
            <Icon shape={bellIcon} size={20} />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown aria-label="Notifications" className={classes['dropdown'] ?? ''}>
        {alerts.length > 0 && <ActiveAlerts alerts={alerts} onLeave={() => toggle(false)} />}
        {past.length === 0 && alerts.length === 0 && (
          <Text size="sm" c="dimmed" p="sm">
            Nothing yet. What you do here, and what comes of it, is kept until you close the page.
          </Text>
        )}
        {past.length > 0 && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          <ol className={classes['list']} tabIndex={0} aria-label="Newest first">
            {past.map((one) => (
              <Row key={one.id} one={one} />
            ))}
          </ol>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

function labelOf(isNew: number, active: number): string {
  const parts = [
    ...(active > 0 ? [`${active} ${active === 1 ? 'alert' : 'alerts'} active`] : []),
    ...(isNew > 0 ? [`${isNew} new`] : []),
  ];
  return ['Notifications', ...parts].join(', ');
}

function ActiveAlerts({ alerts, onLeave }: { alerts: Alert[]; onLeave: () => void }) {
  return (
    <section aria-label="Active alerts" className={classes['alerts']}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <ul className={classes['list']} tabIndex={0} aria-label="Alerts, newest first">
        {alerts.map((alert) => (
          <li key={alert.id} className={classes['row']}>
            <span className={classes['icon']} data-kind={alert.type}>
              <Icon shape={alertIcons[alert.type]} size={16} />
            </span>
            <div className={classes['words']}>
              <Text size="sm" fw={600} dir="auto">
                {alert.name}
              </Text>
              <Text size="sm" c="dimmed">
                {raisedWords(alert)}
              </Text>
              <Text size="xs" c="dimmed">
                {formatAgo(alert.raisedAt)}
              </Text>
            </div>
          </li>
        ))}
      </ul>
      <Anchor
        size="sm"
        className={classes['all'] ?? ''}
        onClick={onLeave}
        renderRoot={(props) => <Link {...props} to="/monitoring" />}
      >
        Show in Monitoring
      </Anchor>
    </section>
  );
}

function Row({ one }: { one: PastToast }) {
  const { title, description, kind, atMs } = one;
  return (
    <li className={classes['row']}>
      <span className={classes['icon']} data-kind={kind ?? 'default'}>
        <Icon shape={kind === 'error' ? alertTriangleIcon : checkIcon} size={16} />
      </span>
      <div className={classes['words']}>
        <Text size="sm" fw={600}>
          {title}
        </Text>
        {description && (
          <Text size="sm" c="dimmed">
            {description}
          </Text>
        )}
        <Text size="xs" c="dimmed">
          {formatAgo(new Date(atMs).toISOString())}
        </Text>
      </div>
    </li>
  );
}
