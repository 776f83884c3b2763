import { render } from '@testing-library/react';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MarkedText, markedParts } from './marked-text.tsx';

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

test('marks and escapes become marks and characters', () => {
  const { container } = render(<MarkedText snippet="R&amp;D <mark>&lt;b&gt;</mark> end" />);
  expect(container.textContent).toBe('R&D <b> end');
  expect(container.querySelectorAll('mark')).toHaveLength(1);
  expect(container.querySelector('b')).toBeNull();
});

test('markup of any other kind stays text', () => {
  const { container } = render(
    <MarkedText snippet={'<img src=x onerror="alert(1)"><mark>a</mark><script>'} />,
  );
  expect(container.querySelector('img, script')).toBeNull();
  expect(container.textContent).toBe('<img src=x onerror="alert(1)">a<script>');
});

test('any text comes out as it went in', () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ minLength: 1 }), fc.string(), (before, marked, after) => {
      const parts = markedParts(`${escaped(before)}<mark>${escaped(marked)}</mark>${escaped(after)}`);
      expect(parts.map(({ text }) => text).join('')).toBe(before + marked + after);
      expect(parts.filter(({ isMarked }) => isMarked).map(({ text }) => text)).toEqual([marked]);
    }),
  );
});
