import type { Settings } from '#server/env.ts';
import type { Log } from '#server/log.ts';

/** At the start: other machines may connect, and people are not said to come by https. What they send could be read on the way. */
export function warnOfPlainHttp({ host, publicUrl }: Pick<Settings, 'host' | 'publicUrl'>, log: Log): void {
  const isHttps = publicUrl !== null && new URL(publicUrl).protocol === 'https:';
  if (isHttps || isLoopback(host)) return;
  const message =
    'HOST lets other machines connect, and PUBLIC_URL is not https: passwords and keys could be read on the way; put a proxy with TLS in front and set PUBLIC_URL to its address';
  log.warn(message, { host, publicUrl });
}

/** As `HOST` names addresses of this machine alone. */
function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}
