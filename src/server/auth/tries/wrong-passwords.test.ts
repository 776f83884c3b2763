import { hash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RecordStore } from '#server/db/client.ts';
import { openTestRecord } from '#server/testing/open-record.ts';
import { createSecretBox } from '../secrets/secret-box.ts';
import { createWrongPasswords } from './wrong-passwords.ts';

let record: RecordStore;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ record, close } = await openTestRecord());
});
afterAll(() => close());

const secrets = createSecretBox('a secret for tests, long enough to be one');
const victim = '203.0.113.0/24 victim@example.org';

/** An address of the attacker's that would share the victim's bucket, if it went by the key alone. */
function findNeighbour(): string {
  const guess = (key: string) => hash('sha256', key, 'buffer').readUInt32BE() >>> 12;
  const wanted = guess(victim);
  for (let n = 0; ; n += 1) {
    const key = `2001:db8:0:${n.toString(16)}::/64 attacker@example.org`;
    if (guess(key) === wanted) return key;
  }
}

test('nobody without the secret finds a key that counts with another one, or clears it', async () => {
  const counts = createWrongPasswords(record, secrets);
  const neighbour = findNeighbour();
  await counts.count([victim]);
  expect([...(await counts.read([victim, neighbour])).keys()]).toEqual([victim]);
  await counts.clear(neighbour);
  expect((await counts.read([victim])).get(victim)?.count).toBe(1);
});

test('servers of one secret count together, and one key is cleared without the others', async () => {
  const [one, another] = [createWrongPasswords(record, secrets), createWrongPasswords(record, secrets)];
  await one.count(['a', 'b']);
  await another.count(['a']);
  await one.clear('b');
  expect([...(await another.read(['a', 'b']))]).toEqual([['a', expect.objectContaining({ count: 2 })]]);
});
