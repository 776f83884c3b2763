import { expect, it } from 'vitest';
import { z } from 'zod';
import { issueMessage } from './issue-message.ts';

const said = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues.map(issueMessage);

it.each([
  [z.string(), undefined, 'is required'],
  [z.union([z.string(), z.number()], 'must be a name or an id'), undefined, 'is required'],
  [z.union([z.string(), z.number()], 'must be a name or an id'), true, 'must be a name or an id'],
  [z.string(), 5, 'must be a string'],
  [z.number(), 'x', 'must be a number'],
  [z.int(), 1.5, 'must be a whole number'],
  [z.boolean(), 'maybe', 'must be true or false'],
  [z.array(z.string()), {}, 'must be a list'],
  [z.strictObject({}), [], 'must be an object'],
  [z.record(z.string(), z.string()), 1, 'must be an object'],
  [z.enum(['auto', 'all', 'any']), 'some', 'must be auto, all or any'],
  [z.literal('*'), 'x', 'must be *'],
  [z.array(z.string()).min(1), [], 'must have at least 1 item'],
  [z.array(z.string()).max(2), ['a', 'b', 'c'], 'must have at most 2 items'],
  [z.string().min(1), '', 'must not be empty'],
  [z.string().min(3), 'ab', 'must be at least 3 characters'],
  [z.string().max(2), 'abc', 'must be at most 2 characters'],
  [z.number().min(2), 1, 'must be at least 2'],
  [z.number().max(2), 3, 'must be at most 2'],
])('says plainly what does not fit', (schema, value, message) => {
  expect(said(schema, value)).toEqual([message]);
});

it('leaves what a schema says itself', () => {
  expect(said(z.string().min(1, 'Collection name is required'), '')).toEqual(['Collection name is required']);
  expect(said(z.union([z.boolean()], 'must be true or false'), 1)).toEqual(['must be true or false']);
});
