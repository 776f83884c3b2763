import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { filterBase64 } from './common-passwords.gen.ts';
import { commonPasswords } from './common-passwords.ts';
import { isLeaked } from './password-filter.ts';
import { assertUncommon } from './password-rules.ts';

function isRefused(password: string): boolean {
  const account = {
    email: 'ada.king@example.org',
    username: 'countess',
    firstName: 'Augusta',
    lastName: null,
  };
  try {
    assertUncommon({ ...account, password });
    return false;
  } catch (error) {
    expect(error).toMatchObject({ code: 'BAD_REQUEST', details: [{ path: 'password' }] });
    return true;
  }
}

test.each([
  ['a common one', 'trustno1'],
  ['in another case', 'PassWord'],
  ['with digits and marks hung on', 'Dragon2024!'],
  ['with letters swapped for digits', 'P@$$w0rd'],
  ['swapped and decorated', '!l3tm3in99'],
  ['in full-width letters', 'ｐａｓｓｗｏｒｄ'],
  ['one character', 'zzzzzzzzzzzz'],
  ['a short piece repeated', 'xyzxyzxyz'],
  ['a run of digits', '23456789'],
  ['a run backwards', '0987654321'],
  ['a keyboard row', 'asdfghjkl'],
  ['two runs', 'qwer5678'],
  ['the email', 'Ada.King@example.org'],
  ['the name before the @', 'ada.king99'],
  ['the username', 'Countess'],
  ['the first name with a year', 'augusta1815'],
])('refused: %s', (_, password) => {
  expect(isRefused(password)).toBe(true);
});

test.each([
  'maverick',
  'butthead',
  'marlboro',
  'hardcore',
  'lifehack',
  'ncc1701d',
  'scorpion',
  'vectoradb',
  'search123',
  'Vectora2026!',
  'Sc0rpi0n!!',
  'semanticsearch',
  'trottolino',
  'Troop4Life',
  'trondheim7!',
])('refused: %s', (password) => {
  expect(isRefused(password)).toBe(true);
});

test.each([
  'analytical engine 1843',
  'correct-dragon-staple',
  'Tr0ub4dor&3',
  'dragon-8205-4471-93',
  'ひらがなのひみつ',
  'k9#mQz!4pLw',
])('welcome: %s', (password) => {
  expect(isRefused(password)).toBe(false);
});

test('the list holds what it says: lower case, no doubles, nothing odd', () => {
  expect(commonPasswords.size).toBeGreaterThan(1_500);
  for (const entry of commonPasswords) expect(entry).toMatch(/^[\p{L}\p{N}\p{P}\p{S}]{4,}$/u);
  for (const entry of commonPasswords) expect(entry).toBe(entry.toLowerCase());
});

test('the filter holds as many passwords as docs/operations.md says, in as many bytes', async () => {
  const bytes = Buffer.from(filterBase64, 'base64');
  // A count for each bucket, and three bytes for each password.
  const passwords = bytes.subarray(0, 16_384).reduce((sum, count) => sum + count, 0);
  expect(bytes.length).toBe(16_384 + 3 * passwords);
  const documented = await readFile('docs/operations.md', 'utf8');
  expect(documented).toContain(`one of ${Math.floor(passwords / 1_000)},000 leaked ones`);
  expect(documented).toContain(`a filter of ${Math.round(bytes.length / 1_000)} KB`);
  expect(passwords).toBeGreaterThanOrEqual(100_000);
});

test('the filter refuses next to nothing that is not in it', () => {
  // About one in two million, and seven forms of a password are looked up at most. `npm run test:long` looks up ten times as many.
  const count = process.env['LONG_TESTS'] ? 200_000 : 20_000;
  const others = Array.from({ length: count }, (_, i) => hash('sha256', `${i}`, 'base64url').slice(0, 16));
  const wrong = others.filter(isLeaked);
  expect(wrong.length).toBeLessThanOrEqual(1);
  const refused = others.filter((password) => isLeaked(password) || isRefused(password));
  // Documented: fewer than one in 100,000.
  expect(refused.length / others.length).toBeLessThan(1 / 100_000);
});

test('the filter has its licence beside it', async () => {
  expect(await readFile('src/server/auth/passwords/common-passwords.LICENSE.txt', 'utf8')).toContain(
    'Permission is hereby granted',
  );
});
