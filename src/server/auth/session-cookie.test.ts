import { expect, test } from 'vitest';
import { sessionCookie } from './session-cookie.ts';

test('over https the cookie is bound to this host and sent over https only', () => {
  expect(sessionCookie({ publicUrl: 'https://search.example.org' })).toEqual({
    name: '__Host-vectora_session',
    attributes: { httpOnly: true, sameSite: 'Lax', path: '/', secure: true },
  });
});

test.each([null, 'http://localhost:3000'])('over plain http it has another name (%s)', (publicUrl) => {
  expect(sessionCookie({ publicUrl })).toEqual({
    name: 'vectora_session',
    attributes: { httpOnly: true, sameSite: 'Lax', path: '/', secure: false },
  });
});
