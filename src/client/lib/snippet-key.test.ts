import { expect, it } from 'vitest';
import { apiKeyRow } from '#client/testing/rows.ts';
import { keyLabel, keyNote, mayCall, pickKey } from './snippet-key.ts';

const films = { name: 'films' };
const server = apiKeyRow(1, 'Server');
const website = { ...apiKeyRow(2, 'Website'), permissions: ['read' as const] };

it('is the one that may only read, unless another is asked for, and none where all of them write', () => {
  expect(pickKey([server, website], undefined)).toBe(website);
  expect(pickKey([server, website], server.id)).toBe(server);
  expect(pickKey([server, website], null)).toBeNull();
  expect(pickKey([server], undefined)).toBeNull();
  // What was chosen may be gone, or not fit any more.
  expect(pickKey([server, website], 99)).toBe(website);
  expect(pickKey([], 99)).toBeNull();
});

it('fits when it is active, has not expired, may do it, and opens the collection', () => {
  expect(mayCall(website, 'read', films)).toBe(true);
  expect(mayCall(website, 'write', films)).toBe(false);
  expect(mayCall({ ...website, isActive: false }, 'read', films)).toBe(false);
  expect(mayCall({ ...website, expiresAt: '2020-01-01T00:00:00.000Z' }, 'read', films)).toBe(false);
  const limited = { ...website, collections: ['books'] };
  expect(mayCall(limited, 'read', films)).toBe(false);
  expect(mayCall(limited, 'read', { name: 'books' })).toBe(true);
  expect(mayCall(limited, 'read', null), 'all of the project').toBe(false);
  expect(mayCall(website, 'read', null)).toBe(true);
});

it('is told by its name and what it may', () => {
  expect(keyLabel(server)).toBe('Server (read and write)');
  expect(keyNote(website)).toBe('It uses the read key “Website”.');
  expect(keyNote(null)).toBe('Put a key in place of YOUR_API_KEY.');
});
