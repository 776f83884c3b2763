import { badRequest } from '#server/errors.ts';
import { identityKey } from '../identity.ts';
import { commonPasswords } from './common-passwords.ts';
import { isLeaked } from './password-filter.ts';

/**
 * Refuses what is guessed first: leaked passwords, this product's own words, however they are cased and whatever digits and marks are hung on, one character
 * repeated, runs along the alphabet or the keyboard, and the account's own names. No rules on composition: length is what helps.
 * @throws AppError BAD_REQUEST naming `password`
 */
export function assertUncommon(account: {
  password: string;
  email: string;
  username: string;
  firstName: string | null;
  lastName: string | null;
}): void {
  const password = identityKey(account.password);
  const own = [
    account.email,
    account.email.split('@', 1)[0] ?? '',
    account.username,
    account.firstName ?? '',
    account.lastName ?? '',
  ];
  if (isCommon(password)) throw badRequest('password', 'is too common; choose another');
  const core = trimDecoration(password);
  if (own.map(identityKey).some((name) => name.length >= 3 && (name === password || name === core))) {
    throw badRequest('password', 'must not be your own name or email');
  }
}

/** What people who run or use this product think of first. */
const ownWords = new Set([
  'vector',
  'vectora',
  'vectoradb',
  'vectordb',
  'vectordatabase',
  'vectorsearch',
  'search',
  'searching',
  'searchengine',
  'semantic',
  'semanticsearch',
  'hybridsearch',
  'embedding',
  'embeddings',
  'opensearch',
  'elasticsearch',
]);

const runs = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  'qazwsxedcrfvtgbyhnujmikolp',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  '1q2w3e4r5t6y7u8i9o0p',
];
const straightRuns = runs.flatMap((run) => [run, [...run].reverse().join('')]);

function isCommon(password: string): boolean {
  const plain = unleet(password);
  const core = trimDecoration(password);
  const forms = new Set([password, plain, core, trimDecoration(plain), unleet(core)]);
  return (
    [...forms].some((form) => commonPasswords.has(form) || ownWords.has(form) || isLeaked(form)) ||
    isRepetition(password) ||
    isRun(password)
  );
}

/** What hangs on a word is taken off up to this length; more of it may be worth something. */
const decorationMax = 6;

/** "dragon2024!" is "dragon" to whoever guesses. A password made of decoration alone stays as it is. */
function trimDecoration(password: string): string {
  const core = password.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  return core.length >= 4 && password.length - core.length <= decorationMax ? core : password;
}

const leet: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

function unleet(password: string): string {
  return [...password].map((character) => leet[character] ?? character).join('');
}

/** One piece of up to four characters over and over: "aaaaaaaa", "abcabcabc". */
function isRepetition(password: string): boolean {
  for (let size = 1; size <= 4; size++) {
    const piece = password.slice(0, size);
    if (password.length >= 2 * size && piece.repeat(Math.ceil(password.length / size)).startsWith(password))
      return true;
  }
  return false;
}

/** Made of at most two runs of at least four characters each: "12345678", "qwertyuiop", "abcd1234". */
function isRun(password: string): boolean {
  const isStraight = (text: string) => straightRuns.some((run) => run.includes(text));
  if (isStraight(password)) return true;
  for (let cut = 4; cut <= password.length - 4; cut++) {
    if (isStraight(password.slice(0, cut)) && isStraight(password.slice(cut))) return true;
  }
  return false;
}
