import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/** What a schema says of a fault; where it says nothing of its own, zod's words are put in those that the schemas use. */
export function issueMessage(issue: Issue): string {
  if (isOfNothing(issue)) return 'is required';
  return isZodsOwn(issue.message) ? (plainWords(issue) ?? issue.message) : issue.message;
}

/** What may be of several types and is not there: not one of them fits, and that is not what is wrong. */
function isOfNothing(issue: Issue): boolean {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return false;
  return issue.errors.every(
    ([first]) =>
      first?.code === 'invalid_type' &&
      first.path.length === 0 &&
      first.message.endsWith('received undefined'),
  );
}

function isZodsOwn(message: string): boolean {
  return /^(?:Invalid (?:input|option)|Too (?:small|big)): /.test(message);
}

function plainWords(issue: Issue): string | null {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.message.endsWith('received undefined')) return 'is required';
      return `must be ${typeNames[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be ${anyOf.format(issue.values.map(String))}`;
    case 'too_small':
      return bound(issue.origin, 'at least', Number(issue.minimum));
    case 'too_big':
      return bound(issue.origin, 'at most', Number(issue.maximum));
    default:
      return null;
  }
}

const typeNames: Partial<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

const anyOf = new Intl.ListFormat('en-GB', { type: 'disjunction' });

function bound(origin: string, limit: 'at least' | 'at most', count: number): string {
  if (origin === 'array') return `must have ${limit} ${count} ${count === 1 ? 'item' : 'items'}`;
  if (origin !== 'string') return `must be ${limit} ${count}`;
  return count === 1 && limit === 'at least' ? 'must not be empty' : `must be ${limit} ${count} characters`;
}
