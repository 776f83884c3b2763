import { expect, test } from 'vitest';
import { readableShare } from './readable-share.ts';

test.each([
  ['robots learning to love, 1982', 1],
  ['Wie läuft ein Fahrrad über 20 km/h?', 1],
  ['', 1],
  ['?!', 1],
  ['как заварить кофе', 0],
  ['怎样用手冲泡咖啡', 0],
  ['كيف احضر القهوة', 0],
  ['कॉफी कैसे बनाएं', 0],
  ['купить USB', 1 / 3],
  ['手机 iPhone 15', 0.8],
])('%s is read to %f', (text, share) => {
  expect(readableShare(text)).toBeCloseTo(share, 9);
});
