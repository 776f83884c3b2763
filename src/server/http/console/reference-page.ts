import { randomBytes } from 'node:crypto';
import type { Handler } from 'hono';
import { AppError } from '#server/errors.ts';
import type { Environment } from '../environment.ts';
import { pageHeaders } from '../security-headers.ts';
import { send } from '../send.ts';
import { createClientFiles } from './client-files.ts';

export const referencePath = '/api/docs';

/** The readable form of the API's description: a page of its own beside the console's, under the same policy. */
export function referencePage(clientDir: string): Handler<Environment> {
  const files = createClientFiles(clientDir);
  return async (c) => {
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD') {
      throw new AppError('METHOD_NOT_ALLOWED', `${c.req.method} is not possible here; use GET`, {
        allow: ['GET', 'HEAD'],
      });
    }
    const page = await files.find('/reference.html');
    if (!page) throw new AppError('NOT_FOUND', 'The reference has not been built');
    // It has no style or script in itself, so nobody is told the nonce.
    const headers = { ...pageHeaders(randomBytes(16).toString('base64')), 'Content-Type': page.type };
    return send(c, { status: 200, headers, body: page.bytes });
  };
}
