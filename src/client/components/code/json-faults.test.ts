import { expect, test } from 'vitest';
import { readJson } from './json-faults.ts';

test.each([
  ['{\n  "title": "x"\n  "price": 2\n}', 'A comma is missing before “"”', '"price": 2\n}'],
  ['[1 2]', 'A comma is missing before “2”', '2]'],
  ['{"a": {"b": true} "c": null}', 'A comma is missing before “"”', '"c": null}'],
  ['{"a" 5}', 'This is not JSON at “5”', '5}'],
  ['{"a": 1,,}', 'This is not JSON at “,”', ',}'],
  ['{"a": tru}', 'This is not JSON at “t”', 'tru}'],
  ['{"a": 1', 'The JSON ends too early', ''],
  ['{"a": 1} 2', 'This is not JSON at “2”', '2'],
])('what is wrong with %j is said in words, at its place', (text, message, rest) => {
  const read = readJson(text, 'some JSON');
  const fault = 'fault' in read ? read.fault : null;
  expect(fault?.message).toBe(message);
  expect(text.slice(fault?.from).trimStart()).toBe(rest);
});
