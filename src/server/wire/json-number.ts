import { capitalE, isDigit, minus, plus, point, smallE, zero } from './json-characters.ts';

/** What of a number was read last. */
export type NumberPart = 'minus' | 'zero' | 'digits' | 'point' | 'fraction' | 'e' | 'sign' | 'exponent';

/** Whether a number may end here. */
export function isWhole(part: NumberPart): boolean {
  return part === 'zero' || part === 'digits' || part === 'fraction' || part === 'exponent';
}

/** Null: the character is none of the number. */
export function nextPart(part: NumberPart, code: number): NumberPart | null {
  if (isDigit(code)) {
    if (part === 'minus') return code === zero ? 'zero' : 'digits';
    if (part === 'point') return 'fraction';
    if (part === 'e' || part === 'sign') return 'exponent';
    return part === 'zero' ? null : part;
  }
  if (code === point) return part === 'zero' || part === 'digits' ? 'point' : null;
  if (code === smallE || code === capitalE) {
    return part === 'zero' || part === 'digits' || part === 'fraction' ? 'e' : null;
  }
  return (code === minus || code === plus) && part === 'e' ? 'sign' : null;
}
