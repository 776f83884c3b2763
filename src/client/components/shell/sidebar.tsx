import { ActionIcon, Button, Text } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { useAuth } from '#client/lib/auth-provider.tsx';
import type { User } from '#shared/accounts.ts';
import { Icon } from '../display/icon.tsx';
import { layoutSidebarIcon, logoutIcon } from '../display/icon-shapes.gen.ts';
import { Brand } from './brand.tsx';
import classes from './sidebar.module.css';
import { activeItem, type NavigationItem, useNavigation } from './use-navigation.ts';

/** The console's pages and who is signed in. Collapsed it is a rail that opens while the pointer or the focus is in it. */
export function Sidebar({ isCollapsed, onToggle }: { isCollapsed: boolean; onToggle?: () => void }) {
  const navigation = useNavigation();
  const active = useLocation({ select: ({ pathname }) => activeItem(navigation, pathname)?.to });
  const items = (isBottom: boolean) =>
    navigation
      .filter((item) => Boolean(item.isBottom) === isBottom)
      .map((item) => <SidebarLink key={item.to} item={item} isActive={item.to === active} />);
  return (
    <aside aria-label="Sidebar" className={classes['sidebar']} data-collapsed={isCollapsed}>
      <div className={classes['head']}>
        <Link to="/dashboard" className={classes['brand']} aria-label="Vectora">
          <Brand />
        </Link>
        {onToggle && (
          <ActionIcon
            className={classes['toggle'] ?? ''}
            aria-label={isCollapsed ? 'Expand sidebar' : 'Collapse sidebar'}
            aria-expanded={!isCollapsed}
            onClick={onToggle}
          >
            <Icon shape={layoutSidebarIcon} />
          </ActionIcon>
        )}
      </div>
      <nav aria-label="Main" className={classes['scroll']}>
        <ul className={classes['list']}>{items(false)}</ul>
      </nav>
      <ul className={classes['list']}>{items(true)}</ul>
      <UserBlock />
    </aside>
  );
}

function SidebarLink({ item, isActive }: { item: NavigationItem; isActive: boolean }) {
  return (
    <li>
      <Link
        to={item.to}
        className={classes['link']}
        data-active={isActive}
        {...(isActive ? { 'aria-current': 'page' as const } : {})}
      >
        <Icon shape={item.icon} size={20} />
        <span className={classes['label']}>{item.label}</span>
      </Link>
    </li>
  );
}

/** The full name, else the username, else 'User'. */
function displayName(user: User | null): string {
  const fullName = [user?.firstName, user?.lastName].filter(Boolean).join(' ');
  return fullName || user?.username || 'User';
}

function UserBlock() {
  const { user, logout } = useAuth();
  const [isLeaving, setIsLeaving] = useState(false);
  const name = displayName(user);
  const leave = async () => {
    setIsLeaving(true);
    await logout();
    setIsLeaving(false);
  };
  return (
    <div className={classes['user']}>
      <div className={classes['who']}>
        <span className={classes['initial']} aria-hidden="true">
          {[...name][0]?.toUpperCase()}
        </span>
        <div className={classes['label']}>
          <Text size="sm" fw={600} truncate>
            {name}
          </Text>
          <Text size="xs" c="dimmed" truncate>
            {user?.email}
          </Text>
        </div>
      </div>
      <Button
        className={classes['logout'] ?? ''}
        variant="subtle"
        color="gray"
        fullWidth
        justify="flex-start"
        leftSection={<Icon shape={logoutIcon} size={20} />}
        loading={isLeaving}
        onClick={leave}
      >
        Logout
      </Button>
    </div>
  );
}
