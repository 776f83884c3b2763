import { expect, test } from 'vitest';
import { createSecretBox } from '../secrets/secret-box.ts';
import { createSessionIds } from './session-ids.ts';

const ids = createSessionIds(createSecretBox('a secret for tests, long enough to be one'));

test('an id is known as this server’s own, and not one with another character anywhere', () => {
  const id = ids.make();
  expect(id).toMatch(/^[a-z2-7]{40}$/);
  expect(ids.isOwn(id)).toBe(true);
  for (let place = 0; place < id.length; place++) {
    const other = id[place] === 'a' ? 'b' : 'a';
    expect(ids.isOwn(`${id.slice(0, place)}${other}${id.slice(place + 1)}`), `place ${place}`).toBe(false);
  }
});

test('nor is what another secret made, or what has another length', () => {
  const other = createSessionIds(createSecretBox('another secret, also of thirty-two characters'));
  const id = ids.make();
  for (const made of [other.make(), '', id.slice(1), `${id}a`, id.toUpperCase(), 'a'.repeat(10_000)])
    expect(ids.isOwn(made)).toBe(false);
});
