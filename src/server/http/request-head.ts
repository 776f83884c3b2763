import type { IncomingMessage } from 'node:http';
import { parse } from 'hono/utils/cookie';
import type { Auth } from '#server/auth/auth.ts';
import { keyName } from '#server/auth/keys/key-check.ts';
import { deviceCookie, sessionCookie } from '#server/auth/sessions/session-cookie.ts';
import { hashSessionId } from '#server/auth/sessions/sessions.ts';
import type { Settings } from '#server/env.ts';
import { AppError } from '#server/errors.ts';
import { addressOf } from './environment.ts';
import { findKeys } from './find-keys.ts';
import type { HeaderReader } from './header-reader.ts';
import { isHttps } from './origin/public-origin.ts';

/** A key, or the cookie of a session, and its hash, by which it is known here. */
export interface Shown {
  kind: 'key' | 'session';
  value: string;
  name: string;
}

type HeadSettings = Pick<Settings, 'publicUrl' | 'trustProxy'>;

/** What the head of a request says of its caller. Who that is may change while the request is on its way, and is asked anew each time. */
export class RequestHead {
  readonly isSecure: boolean;
  readonly address: string;
  readonly #headers: HeaderReader;
  readonly #keys: string[];
  #shown: Shown | null | undefined;
  #isOwnSession: boolean | undefined;

  constructor(incoming: IncomingMessage | undefined, headers: HeaderReader, settings: HeadSettings) {
    this.isSecure = isHttps(settings, headers);
    this.address = addressOf(headers, incoming, settings.trustProxy);
    this.#headers = headers;
    this.#keys = findKeys(headers);
  }

  /** Two different keys are shown. */
  get hasTwoKeys(): boolean {
    return this.#keys.length > 1;
  }

  /** Null: nothing by which somebody could be known. @throws AppError UNAUTHORIZED for two different keys */
  get shown(): Shown | null {
    if (this.#shown === undefined) this.#shown = this.#find();
    return this.#shown;
  }

  /** The device cookie of a browser that has signed in before, or anything. */
  get device(): string | undefined {
    const { name } = deviceCookie(this.isSecure);
    return parse(this.#headers.get('cookie') ?? '', name)[name];
  }

  /** Whether this server made the session's cookie that is shown. */
  isOwnSession(auth: Pick<Auth, 'isOwnSession'>): boolean {
    this.#isOwnSession ??= this.shown?.kind === 'session' && auth.isOwnSession(this.shown.value);
    return this.#isOwnSession;
  }

  #find(): Shown | null {
    const [key] = this.#keys;
    if (this.hasTwoKeys) throw new AppError('UNAUTHORIZED', 'Two different API keys were sent');
    if (key !== undefined) return { kind: 'key', value: key, name: keyName(key) };
    const { name } = sessionCookie(this.isSecure);
    const value = parse(this.#headers.get('cookie') ?? '', name)[name];
    return value === undefined ? null : { kind: 'session', value, name: hashSessionId(value) };
  }
}

const heads = new WeakMap<IncomingMessage, RequestHead>();

/** Made once for all who ask for it on a request's way. Without a socket (tests) it is made anew. */
export function headOf(
  incoming: IncomingMessage | undefined,
  headers: HeaderReader,
  settings: HeadSettings,
): RequestHead {
  const known = incoming && heads.get(incoming);
  if (known) return known;
  const head = new RequestHead(incoming, headers, settings);
  if (incoming) heads.set(incoming, head);
  return head;
}
