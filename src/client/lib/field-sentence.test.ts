import { expect, it } from 'vitest';
import { fieldSentence } from './field-sentence.ts';

it.each([
  ['email', 'is required', 'Email is required.'],
  ['confirmPassword', 'is required', 'Confirm password is required.'],
  ['projectId', 'must be a whole number', 'Project must be a whole number.'],
  ['metadata.fields.2.name', 'must be at most 256 characters', 'Name must be at most 256 characters.'],
  ['metadata.fields.1.name', 'field names must differ', 'Field names must differ.'],
  ['password', 'is too common; choose another', 'Password is too common; choose another.'],
  ['confirmPassword', "Passwords don't match", "Passwords don't match"],
  ['url', 'must begin with https://', 'URL must begin with https://.'],
  ['name', 'Collection name is required', 'Collection name is required'],
])('of %s, "%s" is told as "%s"', (path, message, told) => {
  expect(fieldSentence(path, message)).toBe(told);
});
