import { describe, expect, test } from 'vitest';
import { assertAsDescribed } from './assert-as-described.ts';

const headers = (more: Record<string, string> = {}) =>
  new Headers({ 'content-type': 'application/json', 'x-request-id': 'one', ...more });
const user = {
  id: 1,
  email: 'ada@example.org',
  username: 'ada',
  firstName: null,
  lastName: null,
  createdAt: '2026-01-02T03:04:05.678Z',
};
const error = { message: 'There is no such thing', code: 'NOT_FOUND', requestId: 'one' };
const bearer = { 'www-authenticate': 'Bearer' };
const me = { method: 'GET', path: '/api/auth/me' };
const synonyms = { method: 'GET', path: '/api/collections/things/synonyms?page=1' };

const check = (asked: { method: string; path: string }, status: number, body: unknown, more = {}) =>
  assertAsDescribed(asked, { status, headers: headers(more), body });

describe('an answer as it is described passes', () => {
  test.each([
    ['a success', me, 200, { user }, {}],
    ['an error', me, 500, { ...error, code: 'INTERNAL' }, {}],
    ['a status with two shapes, the one', me, 401, { user: null, message: 'Nobody is signed in' }, bearer],
    ['a status with two shapes, the other', me, 401, { ...error, code: 'UNAUTHORIZED' }, bearer],
    [
      'a page',
      synonyms,
      200,
      { synonyms: [{ id: '1', synonyms: ['a'], root: 'b' }] },
      { 'x-total-count': '1' },
    ],
    ['a refusal for now', me, 429, { ...error, code: 'TOO_MANY_REQUESTS' }, { 'retry-after': '1' }],
    ['a path that there is not', { method: 'GET', path: '/api/nothing' }, 404, error, {}],
  ])('%s', (_, asked, status, body, more) => {
    expect(() => check(asked, status, body, more)).not.toThrow();
  });
});

describe('any other is told', () => {
  test.each([
    ['a field that is missing', me, 200, { user: { ...user, email: undefined } }, {}, "'email'"],
    ['a field of another type', me, 200, { user: { ...user, id: '1' } }, {}, '/user/id must be integer'],
    ['a field that is not described', me, 200, { user: { ...user, password: '' } }, {}, '"password"'],
    ['a status that is not described', me, 404, error, {}, 'no status 404'],
    ['an error with a field too many', me, 500, { ...error, stack: '' }, {}, '"stack"'],
    ['a code that there is not', me, 500, { ...error, code: 'OOPS' }, {}, '/code'],
    ['a page without its length', synonyms, 200, { synonyms: [] }, {}, 'X-Total-Count'],
    ['a refusal that does not say for how long', me, 429, error, {}, 'Retry-After'],
    ['a 401 that does not say how to come in', me, 401, error, {}, 'WWW-Authenticate'],
    ['another type', me, 200, 'hello', { 'content-type': 'text/plain' }, 'no content of the type text/plain'],
    ['an unknown path without an error', { method: 'GET', path: '/api/nothing' }, 404, {}, {}, "'message'"],
  ])('%s', (_, asked, status, body, more, fault) => {
    const plain: unknown = JSON.parse(JSON.stringify(body));
    expect(() => check(asked, status, plain, more)).toThrow(fault);
  });

  test('an answer that no log knows', () => {
    const answer = {
      status: 200,
      headers: new Headers({ 'content-type': 'application/json' }),
      body: { user },
    };
    expect(() => assertAsDescribed(me, answer)).toThrow('X-Request-Id');
  });
});

test('the console and tRPC are not described', () => {
  expect(() => check({ method: 'GET', path: '/trpc/auth.me' }, 418, {})).not.toThrow();
});
