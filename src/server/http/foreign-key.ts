import { AppError } from '#server/errors.ts';
import { findOperation } from '#server/rest/match.ts';
import { rawQuery } from '#server/wire/raw-query.ts';
import { hasKey } from './find-keys.ts';
import type { HeaderReader } from './header-reader.ts';

/** Where clients of other products put a key, as headers or in the address, and the article that says what is called what here. */
const guides: Record<string, string> = {
  'X-TYPESENSE-API-KEY': '/documentation/coming-from-typesense.md',
  'X-Algolia-API-Key': '/documentation/rest.md',
  'X-Meili-API-Key': '/documentation/rest.md',
};

interface Asked {
  method: string;
  path: string;
  url: string;
  headers: HeaderReader;
}

/**
 * Of a refusal for want of a key: what to send, where a key was sent as another product takes it. Null: there is nothing to add. Only the
 * names of headers and parameters are looked at, never what they hold.
 */
export function foreignKeyRefusal(error: AppError, asked: Asked, publicUrl: string | null): AppError | null {
  if (error.code !== 'UNAUTHORIZED' || hasKey(asked.headers)) return null;
  const access = findOperation(asked.method, asked.path)?.access;
  const name = access === 'read' || access === 'write' ? findForeign(asked) : undefined;
  if (name === undefined) return null;
  const guide = `${publicUrl ?? ''}${guides[name]}`;
  return new AppError(
    'UNAUTHORIZED',
    `${name} is not read here: send an API key in the X-API-Key header, or as Authorization: Bearer. ${guide} says what else differs`,
  );
}

function findForeign({ headers, url }: Asked): string | undefined {
  const parameters = new Set(
    [...new URLSearchParams(rawQuery(url)).keys()].map((name) => name.toLowerCase()),
  );
  const isSent = (name: string) => headers.get(name) !== null || parameters.has(name);
  return Object.keys(guides).find((name) => isSent(name.toLowerCase()));
}
