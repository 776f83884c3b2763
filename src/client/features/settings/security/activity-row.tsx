import { Badge, Text } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import {
  alertTriangleIcon,
  deviceDesktopIcon,
  deviceMobileIcon,
  serverIcon,
} from '#client/components/display/icon-shapes.gen.ts';
import { formatAgo, formatDateTime, formatNumber } from '#client/lib/format.ts';
import type { AccountEvent } from '#shared/account-activity.ts';
import { wordsOfEvent } from './activity-words.ts';
import { describeBrowser } from './describe-browser.ts';
import classes from './session-row.module.css';

/** That somebody signed in or tried to, or changed how one signs in: when, and from where. */
export function ActivityRow({ event }: { event: AccountEvent }) {
  const { createdAt, outcome, times, address, userAgent } = event;
  const isRefused = outcome === 'refused';
  return (
    <li className={classes['row']}>
      <span className={classes['icon']} data-refused={isRefused || undefined}>
        <Icon shape={iconOf(event)} size={20} />
      </span>
      <div className={classes['words']}>
        <Text size="sm" fw={600} component="div" className={classes['name'] ?? ''}>
          {wordsOfEvent(event)}
          {isRefused && (
            <Badge color="red" miw="max-content">
              Failed{times > 1 && ` ${formatNumber(times)} times`}
            </Badge>
          )}
        </Text>
        <Text size="xs" c="dimmed">
          <time dateTime={createdAt} title={formatDateTime(createdAt)}>
            {formatAgo(createdAt)}
          </time>
          {' · '}
          <span title={userAgent ?? undefined}>{whence(event)}</span>
          {address && ` · ${address}`}
        </Text>
      </div>
    </li>
  );
}

function iconOf({ outcome, actor, userAgent }: AccountEvent) {
  if (outcome === 'refused') return alertTriangleIcon;
  if (actor === 'operator') return serverIcon;
  return describeBrowser(userAgent).isMobile ? deviceMobileIcon : deviceDesktopIcon;
}

function whence({ actor, userAgent }: AccountEvent): string {
  return actor === 'operator' ? 'by an operator of the server' : describeBrowser(userAgent).name;
}
