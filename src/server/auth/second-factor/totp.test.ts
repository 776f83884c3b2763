import { expect, test } from 'vitest';
import { findStep } from './totp.ts';

test('the codes are those of RFC 6238', () => {
  // Its appendix B, of which six digits are the last of eight: secret "12345678901234567890", SHA-1.
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
  for (const [seconds, code] of [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_234_567_890, '005924'],
    [20_000_000_000, '353130'],
  ] as const)
    expect(findStep(secret, { code, now: new Date(seconds * 1000) })).toBe(Math.floor(seconds / 30));
});
