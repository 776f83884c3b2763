import { capitalE, isDigit, minus, plus, point, smallE, zero } from './json-characters.ts';

/** What of a number was read last. */
export type NumberPart = 'minus' | 'zero' | 'digits' | 'point' | 'fraction' | 'e' | 'sign' | 'exponent';

/** Whether a number may end here. */
export function isWhole(part: NumberPart): boolean {
  return part === 'zero' || part === 'digits' || part === 'fraction' || part === 'exponent';
}

/** Null: the byte is none of the number. */
export function nextPart(part: NumberPart, byte: number): NumberPart | null {
  if (isDigit(byte)) {
    if (part === 'minus') return byte === zero ? 'zero' : 'digits';
    if (part === 'point') return 'fraction';
    if (part === 'e' || part === 'sign') return 'exponent';
    return part === 'zero' ? null : part;
  }
  if (byte === point) return part === 'zero' || part === 'digits' ? 'point' : null;
  if (byte === smallE || byte === capitalE) {
    return part === 'zero' || part === 'digits' || part === 'fraction' ? 'e' : null;
  }
  return (byte === minus || byte === plus) && part === 'e' ? 'sign' : null;
}
