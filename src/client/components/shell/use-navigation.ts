import { type AnyRoute, type LinkProps, useRouter } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { IconShape } from '../display/icon.tsx';
import type { DialogName, Dialogs } from './dialogs-provider.tsx';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    nav?: NavigationEntry;
  }
}

/** A page's place in the sidebar, on its route: `staticData: { nav: { label: 'All Projects', icon: folderIcon, order: 70 } }`. */
interface NavigationEntry {
  label: string;
  icon: IconShape;
  /** Smaller is higher; gaps leave room for pages in between. */
  order: number;
  /** With G before it, the key that leads here from anywhere; a capital letter. */
  letter?: string;
  /** What the page shows can be made from the menu "Create" of every page. */
  create?: { label: string; dialog: CreateDialog };
  /** Set apart at the bottom, active on exactly its own path. */
  isBottom?: boolean;
}

/** A dialog that opens with nothing given. */
type CreateDialog = { [Name in DialogName]: object extends Dialogs[Name] ? Name : never }[DialogName];

export interface NavigationItem extends NavigationEntry {
  to: NonNullable<LinkProps['to']>;
}

/** The sidebar's items, read from the routes. */
export function useNavigation(): NavigationItem[] {
  const { routesById } = useRouter();
  return useMemo(() => navigationOf(Object.values(routesById)), [routesById]);
}

export function navigationOf(routes: AnyRoute[]): NavigationItem[] {
  return routes
    .flatMap(({ options, to }) => (options.staticData?.nav ? [{ ...options.staticData.nav, to }] : []))
    .toSorted((a, b) => a.order - b.order);
}

/** The item that `pathname` belongs to: by prefix, exactly for those at the bottom. */
export function activeItem(items: NavigationItem[], pathname: string): NavigationItem | undefined {
  return items.find(({ to, isBottom }) =>
    isBottom ? pathname === to : pathname === to || pathname.startsWith(`${to}/`),
  );
}
