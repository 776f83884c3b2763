// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { formatAgo, formatBytes, formatDate, formatDateTime } from './format.ts';

describe('format', () => {
  it('says Never for a date without a value', () => {
    expect(formatDate(null)).toBe('Never');
    expect(formatDateTime(null)).toBe('Never');
  });

  it.each([
    [5, 'just now'],
    [61, '1 minute ago'],
    [3 * 3600 + 10, '3 hours ago'],
    [86_400, 'yesterday'],
    [6 * 86_400, '6 days ago'],
  ])('%i seconds is %s', (seconds, expected) => {
    const now = Date.parse('2026-11-21T12:00:00Z');
    expect(formatAgo(new Date(now - seconds * 1000).toISOString(), now)).toBe(expected);
  });

  it('a clock that is ahead of ours is not in the future', () => {
    expect(formatAgo('2026-11-21T12:00:09Z', Date.parse('2026-11-21T12:00:00Z'))).toBe('just now');
  });

  it.each([
    [0, '0 B'],
    [1023, '1023 B'],
    [1536, '1.5 KB'],
    [5 * 1024 ** 3, '5.0 GB'],
    [5000 * 1024 ** 3, '5000.0 GB'],
  ])('%i bytes is %s', (bytes, expected) => {
    expect(formatBytes(bytes)).toBe(expected);
  });
});
