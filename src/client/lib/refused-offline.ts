import { TRPCClientError } from '@trpc/client';
import type { TRPCLink } from '@trpc/react-query';
import type { AnyRouter } from '@trpc/server';
import { observable } from '@trpc/server/observable';
import { isOnline } from './is-online.ts';

/** Without a network a change is not even tried, and the reader hears why. */
export const refusedOffline: TRPCLink<AnyRouter> =
  () =>
  ({ op, next }) =>
    op.type === 'mutation' && !isOnline() ? observable((observer) => observer.error(offline())) : next(op);

function offline() {
  return TRPCClientError.from<AnyRouter>(
    new Error('You are offline, so nothing was sent. Try again when you are back.'),
  );
}
