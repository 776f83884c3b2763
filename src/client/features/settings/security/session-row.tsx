import { Badge, Button, Text } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import { deviceDesktopIcon, deviceMobileIcon } from '#client/components/display/icon-shapes.gen.ts';
import { formatAgo, formatDateTime } from '#client/lib/format.ts';
import type { Session } from '#shared/sessions.ts';
import { describeBrowser } from './describe-browser.ts';
import classes from './session-row.module.css';

interface SessionRowProps {
  session: Session;
  isEnding: boolean;
  onEnd: () => void;
}

/** The one that looks is left by "Sign Out", which every page has. */
export function SessionRow({ session, isEnding, onEnd }: SessionRowProps) {
  const { createdAt, lastSeenAt, address, userAgent, isCurrent } = session;
  const { name, isMobile } = describeBrowser(userAgent);
  return (
    <li className={classes['row']}>
      <span className={classes['icon']}>
        <Icon shape={isMobile ? deviceMobileIcon : deviceDesktopIcon} size={20} />
      </span>
      <div className={classes['words']}>
        <Text size="sm" fw={600} component="div" className={classes['name'] ?? ''}>
          <span title={userAgent ?? undefined}>{name}</span>
          {isCurrent && <Badge>This browser</Badge>}
        </Text>
        <Text size="xs" c="dimmed">
          {isCurrent ? 'Now' : `Last seen ${formatAgo(lastSeenAt)}`} · Signed in {formatDateTime(createdAt)}
          {address && ` · ${address}`}
        </Text>
      </div>
      {!isCurrent && (
        <Button
          variant="default"
          size="xs"
          loading={isEnding}
          aria-label={`Sign out ${name}, signed in ${formatDateTime(createdAt)}`}
          onClick={onEnd}
        >
          Sign out
        </Button>
      )}
    </li>
  );
}
