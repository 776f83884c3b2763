import { createFileRoute, stripSearchParams } from '@tanstack/react-router';
import { broadcastIcon } from '#client/components/display/icon-shapes.gen.ts';
import { type ChangeEvents, eventsDefaults, eventsState } from '#client/features/events/events-state.ts';
import { lazyPage } from '#client/lib/lazy-page.ts';
import { pageTitle } from '#client/lib/page-title.ts';
import { preloading } from '#client/lib/preloading.ts';

const EventsPage = lazyPage(() => import('#client/features/events/events-page.tsx'), 'EventsPage');

export const Route = createFileRoute('/_console/events')({
  staticData: { nav: { label: 'Live Events', icon: broadcastIcon, order: 30, letter: 'E' } },
  validateSearch: eventsState,
  search: { middlewares: [stripSearchParams(eventsDefaults)] },
  head: () => pageTitle('Live Events'),
  component: preloading(EventsPage, Events),
});

function Events() {
  const state = Route.useSearch();
  const navigate = Route.useNavigate();
  const change: ChangeEvents = (next, options) =>
    navigate({
      search: (previous) => ({ ...previous, ...next }),
      replace: options?.replace ?? false,
      resetScroll: false,
    });
  return <EventsPage state={state} onChange={change} />;
}
