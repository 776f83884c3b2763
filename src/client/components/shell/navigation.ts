import type { LinkProps } from '@tanstack/react-router';
import type { IconName } from '../display/icon.tsx';

export interface NavigationItem {
  to: NonNullable<LinkProps['to']>;
  label: string;
  icon: IconName;
  /** Set apart at the bottom, active on exactly its own path. */
  isBottom?: boolean;
}

/** The console's pages in the sidebar's order: a page that does not exist (yet) is not here. */
export const navigation: NavigationItem[] = [
  { to: '/dashboard', label: 'Dashboard', icon: 'dashboard' },
  { to: '/search', label: 'Vector Search', icon: 'search' },
  { to: '/collections', label: 'Collections', icon: 'collection' },
  { to: '/projects', label: 'All Projects', icon: 'folder' },
];

/** The page that `pathname` belongs to: by prefix, exactly for those at the bottom. */
export function activeItem(pathname: string): NavigationItem | undefined {
  return navigation.find(({ to, isBottom }) =>
    isBottom ? pathname === to : pathname === to || pathname.startsWith(`${to}/`),
  );
}
