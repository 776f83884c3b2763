import { lazyRouteComponent } from '@tanstack/react-router';

/** A part of the console that could not be fetched. */
export class MissingCodeError extends Error {
  override readonly name = 'MissingCodeError';
}

/**
 * A page that is fetched when it is opened: the router's own, but failing by an error of its own, because the router answers the
 * browser's with a reload, which is the browser's error page while there is no network.
 */
export const lazyPage: typeof lazyRouteComponent = (importer, exportName) =>
  lazyRouteComponent(
    () =>
      importer().catch((cause: unknown) => {
        throw new MissingCodeError('A part of the console could not be fetched', { cause });
      }),
    exportName,
  );
