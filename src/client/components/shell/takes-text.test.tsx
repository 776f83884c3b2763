import { expect, it } from 'vitest';
import { takesText } from './takes-text.ts';

function made(html: string): Element | null {
  document.body.innerHTML = html;
  return document.body.querySelector('[data-target]');
}

it.each([
  '<input data-target>',
  '<input type="search" data-target>',
  '<input type="number" data-target>',
  '<textarea data-target></textarea>',
  '<select data-target></select>',
  '<div contenteditable="true"><b data-target></b></div>',
])('letters are typed into %s', (html) => {
  expect(takesText(made(html))).toBe(true);
});

it.each([
  '<input type="radio" data-target>',
  '<input type="checkbox" role="switch" data-target>',
  '<input type="range" data-target>',
  '<button data-target></button>',
  '<div contenteditable="false" data-target></div>',
  '<h1 data-target></h1>',
])('letters are keys on %s', (html) => {
  expect(takesText(made(html))).toBe(false);
});

it('letters are keys where nothing has the focus', () => {
  expect(takesText(document)).toBe(false);
  expect(takesText(null)).toBe(false);
});
