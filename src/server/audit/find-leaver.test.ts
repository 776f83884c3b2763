import { expect, test } from 'vitest';
import { findLeaver } from './find-leaver.ts';

/** Of "a/x/1" the path is a, x; they came in this order. */
const waiting = (...keys: string[]) =>
  new Map(keys.map((key) => [key, { path: key.split('/').slice(0, 2) }]));
const leaverFor = (newcomer: string, ...keys: string[]) =>
  findLeaver(waiting(...keys), { path: newcomer.split('/') });

test('the newest of whoever has most leaves for somebody who has less', () => {
  expect(leaverFor('b/y', 'a/x/1', 'a/x/2', 'a/z/1')).toBe('a/x/2');
  expect(leaverFor('b/y', 'a/x/1', 'b/y/1', 'a/x/2', 'a/x/3')).toBe('a/x/3');
});

test('nobody takes more than a part of its own', () => {
  expect(leaverFor('b/y', 'a/x/1', 'a/x/2', 'b/y/1')).toBeNull();
  expect(leaverFor('a/x', 'a/x/1', 'a/x/2', 'b/y/1')).toBeNull();
  expect(leaverFor('c/z', 'a/x/1', 'b/y/1')).toBeNull();
});

test('within a part those that share it give way to each other', () => {
  expect(leaverFor('a/z', 'a/x/1', 'a/x/2', 'a/x/3', 'b/y/1')).toBe('a/x/3');
  expect(leaverFor('b/z', 'a/x/1', 'a/x/2', 'a/x/3', 'b/y/1', 'b/y/2')).toBe('b/y/2');
  expect(leaverFor('b/y', 'a/x/1', 'a/x/2', 'a/x/3', 'b/y/1', 'b/y/2')).toBeNull();
});

test('nobody leaves when nobody is there', () => {
  expect(leaverFor('a/x')).toBeNull();
});
