import type { Settings } from '#server/env.ts';
import { AppError } from '#server/errors.ts';
import type { HeaderReader } from '../header-reader.ts';
import { publicOrigin } from './public-origin.ts';

type OriginSettings = Pick<Settings, 'publicUrl' | 'trustProxy'>;

/**
 * Refuses what another site makes a browser send with our cookie. Whatever the content type, an unsafe request must be known to come from
 * our own pages: browsers say so in `Sec-Fetch-Site`, and where they do not (plain http) in `Origin`.
 * @throws AppError FORBIDDEN
 */
export function assertOwnOrigin(headers: HeaderReader, settings: OriginSettings): void {
  if (isOwnOrigin(headers, settings)) return;
  throw new AppError(
    'FORBIDDEN',
    `Requests that use a session must come from the console${settings.publicUrl ? ` at ${settings.publicUrl}` : ''}: the Origin header says otherwise. Outside a browser, use an API key`,
  );
}

/**
 * Signing in is unsafe without a cookie too: another site could sign its visitor in to its own account. A browser always says where such
 * a request comes from, so one that says nothing comes from a program and is let through.
 * @throws AppError FORBIDDEN
 */
export function assertNotForeign(headers: HeaderReader, settings: OriginSettings): void {
  if (headers.get('sec-fetch-site') !== null || headers.get('origin') !== null)
    assertOwnOrigin(headers, settings);
}

/**
 * Who leads a name of its own to this server (DNS rebinding) has a visitor's browser take our answers for its own. So without a key only
 * names that are ours are answered to: the public one, those of this machine, and addresses, which nobody can lead elsewhere. A proxy that is
 * trusted answers for the name itself.
 * @throws AppError FORBIDDEN
 */
export function assertOwnHost(
  headers: HeaderReader,
  settings: OriginSettings & Pick<Settings, 'host'>,
): void {
  const host = headers.get('host');
  if (host === null || settings.trustProxy) return;
  const name = nameOf(host);
  const own = settings.publicUrl ? nameOf(new URL(settings.publicUrl).host) : settings.host;
  if (name === own || isAddress.test(name) || /^(.+\.)?localhost$/.test(name)) return;
  throw new AppError(
    'FORBIDDEN',
    `This server does not know itself by the name ${shortName(name)}. Set PUBLIC_URL to the address that people use, or TRUST_PROXY behind a proxy`,
  );
}

/** IPv4 in its usual form, or IPv6 in brackets. */
const isAddress = /^(\d{1,3}(\.\d{1,3}){3}|\[[\da-f:.]+\])$/;

/** A name in the system of names has so many characters at most. */
function shortName(name: string): string {
  return name.length > 253 ? `${name.slice(0, 253)}…` : name;
}

function nameOf(host: string): string {
  return host.toLowerCase().replace(/:\d+$/, '');
}

function isOwnOrigin(headers: HeaderReader, settings: OriginSettings): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin';
  const origin = headers.get('origin');
  return origin !== null && origin === publicOrigin(settings, headers);
}
