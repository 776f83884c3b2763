import type { AsyncRouteComponent } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** A route's component around a page that is fetched on its own: the router fetches the page with the route's data, before it shows either. */
export function preloading<Props>(
  { preload }: Pick<AsyncRouteComponent<Props>, 'preload'>,
  component: () => ReactNode,
): AsyncRouteComponent<object> {
  return Object.assign(component, { ...(preload && { preload }) });
}
