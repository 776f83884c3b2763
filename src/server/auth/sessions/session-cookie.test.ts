import { expect, test } from 'vitest';
import { sessionCookie } from './session-cookie.ts';

test('over https the cookie is bound to this host and sent over https only', () => {
  expect(sessionCookie(true)).toEqual({
    name: '__Host-vectora_session',
    attributes: { httpOnly: true, sameSite: 'Lax', path: '/', secure: true },
  });
});

test('over plain http it has another name', () => {
  expect(sessionCookie(false)).toEqual({
    name: 'vectora_session',
    attributes: { httpOnly: true, sameSite: 'Lax', path: '/', secure: false },
  });
});
