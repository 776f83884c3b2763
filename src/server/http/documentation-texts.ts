import type { Context as HonoContext, MiddlewareHandler } from 'hono';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Environment } from './environment.ts';
import { send } from './send.ts';

const encoder = new TextEncoder();
const articlePath = /^\/documentation\/([\w-]+)\.md$/;

/** The articles for machines: `/llms.txt`, `/llms-full.txt` and each as Markdown, for anybody. Every other path goes on. */
export function documentationTexts({
  machineTexts,
}: Pick<Deps, 'machineTexts'>): MiddlewareHandler<Environment> {
  const find = async (path: string) => {
    if (path === '/llms.txt') return await machineTexts.list();
    if (path === '/llms-full.txt') return await machineTexts.all();
    const slug = articlePath.exec(path)?.[1];
    return slug === undefined ? null : await machineTexts.article(slug);
  };
  const answer = async (c: HonoContext<Environment>, path: string) => {
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD') {
      throw new AppError('METHOD_NOT_ALLOWED', `${c.req.method} is not possible here; use GET`, {
        allow: ['GET', 'HEAD'],
      });
    }
    const text = await find(path);
    if (text === null) throw new AppError('NOT_FOUND', 'There is no such article; /llms.txt lists them');
    return sendText(c, text, path.endsWith('.md') ? 'text/markdown' : 'text/plain');
  };
  return (c, next) => {
    const { path } = c.req;
    return path.startsWith('/llms') || articlePath.test(path) ? answer(c, path) : next();
  };
}

function sendText(c: HonoContext<Environment>, text: string, type: string): Response {
  const headers = { 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': 'no-cache' };
  return send(c, { status: 200, headers, body: encoder.encode(text) });
}
