import { randomBytes } from 'node:crypto';
import type { Handler, Context as HonoContext } from 'hono';
import type { Settings } from '#server/env.ts';
import { AppError } from '#server/errors.ts';
import { unknownPath } from '#server/rest/unknown-path.ts';
import { type Environment, headersOf } from '../environment.ts';
import { hasKey } from '../find-keys.ts';
import type { HeaderReader } from '../header-reader.ts';
import { pageHeaders } from '../security-headers.ts';
import { send } from '../send.ts';
import { type ClientFile, type ClientFiles, createClientFiles, isFilePath } from './client-files.ts';

/** Its place in the page, where Mantine reads the nonce for its style tags. */
const noncePlaceholder = '__CSP_NONCE__';
/** Before the addresses that others must be able to follow from elsewhere: those of the picture for shared links. */
const originPlaceholder = '__PUBLIC_ORIGIN__';

/** Whom visitors may write to; empty: nobody. */
const contactPlaceholder = '__CONTACT_EMAIL__';

/** Read by anybody, be it a program that shows what a link leads to. */
const publicPages = new Set(['/', '/index.html', '/landing']);

/**
 * The console: its files, and its page for every other path that a browser opens, since the console has routes of its own. A program that
 * asks for such a path means the API, and is told where that is.
 */
export function consoleHandler(
  clientDir: string,
  { publicUrl, contactEmail }: Pick<Settings, 'publicUrl' | 'contactEmail'>,
): Handler<Environment> {
  const files = createClientFiles(clientDir);
  // As a URL is written, whatever characters the setting has.
  const origin = publicUrl === null ? '' : new URL(publicUrl).href.replace(/\/$/, '');
  const said = { [originPlaceholder]: origin, [contactPlaceholder]: contactEmail ?? '' };
  return async (c) => {
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD') throw unknownPath(c.req.path);
    const urlPath = decodePath(c.req.path);
    const file = urlPath === '/index.html' ? null : await files.find(urlPath);
    if (file) return sendFile(c, file);
    // A chunk of an older build is gone; the page in its place would only be a confusing script error. So it is with every other file.
    const isFile = urlPath.startsWith('/assets/') || isFilePath(urlPath);
    if (isFile && urlPath !== '/index.html') throw new AppError('NOT_FOUND', 'There is no such file');
    if (!publicPages.has(urlPath) && !isNavigation(headersOf(c))) throw unknownPath(c.req.path);
    return await sendPage(c, files, said);
  };
}

/** Whether a browser opens a page, or somebody who asks for one as a browser does. Some programs accept HTML without being told to, so a key says more. */
function isNavigation(headers: HeaderReader): boolean {
  if (headers.get('sec-fetch-mode') === 'navigate') return true;
  return !hasKey(headers) && accepts(headers.get('accept') ?? '', 'text/html');
}

/** @throws AppError NOT_FOUND for paths that mean something else once decoded */
function decodePath(rawPath: string): string {
  const unknown = () => new AppError('NOT_FOUND', 'There is no such page');
  const segments = rawPath.split('/').map((segment) => {
    try {
      return decodeURIComponent(segment);
    } catch {
      throw unknown();
    }
  });
  const isOdd = (segment: string) => segment === '.' || segment === '..' || /[/\\\0]/.test(segment);
  if (segments.some(isOdd) || segments.slice(1, -1).includes('')) throw unknown();
  return segments.join('/');
}

function sendFile(c: HonoContext<Environment>, file: ClientFile): Response {
  const headers: Record<string, string> = {
    'Content-Type': file.type,
    'Cache-Control': file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    Vary: 'Accept-Encoding',
  };
  const accepted = c.req.header('accept-encoding') ?? '';
  const packed = file.packed.find(({ encoding }) => accepts(accepted, encoding));
  if (packed) headers['Content-Encoding'] = packed.encoding;
  return send(c, { status: 200, headers, body: (packed ?? file).bytes });
}

/** Whether a header of the kind of `Accept` names it; `br;q=0` says no. */
function accepts(header: string, wanted: string): boolean {
  return header.split(',').some((part) => {
    const [name, ...parameters] = part
      .toLowerCase()
      .split(';')
      .map((each) => each.trim());
    const weight = parameters.find((each) => each.startsWith('q='))?.slice(2);
    return name === wanted && Number(weight ?? 1) > 0;
  });
}

async function sendPage(
  c: HonoContext<Environment>,
  files: ClientFiles,
  /** What stands in the page in place of what. */
  said: Record<string, string>,
): Promise<Response> {
  const page = await files.find('/index.html');
  if (!page) throw new AppError('NOT_FOUND', 'The console has not been built');
  const nonce = randomBytes(16).toString('base64');
  const texts = Object.entries({ ...said, [noncePlaceholder]: nonce });
  const html = texts.reduce(
    (text, [placeholder, value]) => text.replaceAll(placeholder, () => value),
    new TextDecoder().decode(page.bytes),
  );
  return send(c, { status: 200, headers: { ...pageHeaders(nonce), 'Content-Type': page.type }, body: html });
}
