import { render } from '@testing-library/react';
import decodeQR from 'qr/decode.js';
import { expect, test } from 'vitest';
import { QrCode } from './qr-code.tsx';

/** Pixels of a module's side. */
const scale = 4;

/** What a camera would see of the outline: one square a dark module. */
function picture(svg: Element): { width: number; height: number; data: Uint8Array } {
  const modules = Number(svg.getAttribute('viewBox')?.split(' ')[2]);
  const side = modules * scale;
  const data = new Uint8Array(side * side * 4).fill(255);
  for (const [, x, y] of (svg.querySelector('path')?.getAttribute('d') ?? '').matchAll(
    /M(\d+) (\d+)h1v1h-1z/g,
  ))
    for (let row = 0; row < scale; row += 1)
      for (let column = 0; column < scale; column += 1) {
        const pixel = (Number(y) * scale + row) * side + Number(x) * scale + column;
        data.fill(0, pixel * 4, pixel * 4 + 3);
      }
  return { width: side, height: side, data };
}

test('a reader of QR codes reads what it was made of', () => {
  const text =
    'otpauth://totp/Vectora:ada%40example.org?issuer=Vectora&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
  const { getByRole } = render(<QrCode text={text} label="QR code" />);
  expect(decodeQR(picture(getByRole('img', { name: 'QR code' })))).toBe(text);
});
