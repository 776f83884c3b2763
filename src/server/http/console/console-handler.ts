import { randomBytes } from 'node:crypto';
import type { Handler, Context as HonoContext } from 'hono';
import { AppError } from '#server/errors.ts';
import type { Environment } from '../environment.ts';
import { pageHeaders } from '../security-headers.ts';
import { send } from '../send.ts';
import { type ClientFile, type ClientFiles, createClientFiles } from './client-files.ts';

/** Its place in the page, where Mantine reads the nonce for its style tags. */
const noncePlaceholder = '__CSP_NONCE__';

/** The console: its files, and its page for every other path, since the console has routes of its own. */
export function consoleHandler(clientDir: string): Handler<Environment> {
  const files = createClientFiles(clientDir);
  return async (c) => {
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD') {
      throw new AppError('METHOD_NOT_ALLOWED', `${c.req.method} is not possible here; use GET`, {
        allow: ['GET', 'HEAD'],
      });
    }
    const urlPath = decodePath(c.req.path);
    const file = urlPath === '/index.html' ? null : await files.find(urlPath);
    if (file) return sendFile(c, file);
    // A chunk of an older build is gone; the page in its place would only be a confusing script error.
    if (urlPath.startsWith('/assets/')) throw new AppError('NOT_FOUND', 'There is no such file');
    return await sendPage(c, files);
  };
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
  const isGzipped = file.gzipped !== null && /\bgzip\b/.test(c.req.header('accept-encoding') ?? '');
  if (isGzipped) headers['Content-Encoding'] = 'gzip';
  return send(c, { status: 200, headers, body: isGzipped ? file.gzipped : file.bytes });
}

async function sendPage(c: HonoContext<Environment>, files: ClientFiles): Promise<Response> {
  const page = await files.find('/index.html');
  if (!page) throw new AppError('NOT_FOUND', 'The console has not been built');
  const nonce = randomBytes(16).toString('base64');
  const html = new TextDecoder().decode(page.bytes).replaceAll(noncePlaceholder, nonce);
  return send(c, { status: 200, headers: { ...pageHeaders(nonce), 'Content-Type': page.type }, body: html });
}
