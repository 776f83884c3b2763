import { expect, test } from 'vitest';
import { encodeUpgradedRows } from './statements.ts';

test('rows of many vectors are written with pauses, without their texts', () => {
  const vectors = Float32Array.from({ length: 40 * 384 }, (_, i) => Math.sin(i));
  const rows = Array.from({ length: 50 }, (_, i) => ({
    id: `${i}`,
    version: i,
    source: 'left out',
    contentHash: Uint8Array.of(i, 255),
    modelId: 'm',
    vectors,
    spans: Int32Array.of(0, 1, i),
  }));
  const steps = encodeUpgradedRows(rows);
  let pauses = 0;
  let step = steps.next();
  for (; !step.done; step = steps.next()) pauses += 1;
  // Four megabytes.
  expect(pauses).toBeGreaterThan(20);
  const written: { id: string; source: string; version: number; vectors: string; spans: number[] }[] =
    JSON.parse(step.value);
  expect(written.map(({ version, spans }) => [version, spans])).toEqual(
    rows.map(({ version }) => [version, [0, 1, version]]),
  );
  expect(written.every(({ source }) => source === '')).toBe(true);
  const read = Buffer.from(written[7]?.vectors ?? '', 'base64');
  expect(new Float32Array(read.buffer, read.byteOffset, read.byteLength / 4)).toEqual(vectors);
});
