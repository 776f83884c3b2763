import { expect, it } from 'vitest';
import type { z } from 'zod';
import { loginInput, registerInput } from './accounts.ts';
import { apiKeyCreate } from './api-keys.ts';
import { collectionCreate } from './collections.ts';
import { projectCreate } from './projects.ts';
import { workspaceCreate } from './workspaces.ts';

const long = 'x'.repeat(20_000);
const person = { email: long, username: long, password: long, firstName: long, lastName: long };

it.each<[string, z.ZodType, object]>([
  ['registering', registerInput, { ...person, confirmPassword: long }],
  ['signing in', loginInput, { email: long, password: long }],
  ['a workspace', workspaceCreate, { name: long, slug: long, description: long }],
  ['a project', projectCreate, { name: long, slug: long, description: long, workspaceId: 1 }],
  ['a collection', collectionCreate, collection([{ name: long, type: 'string' }])],
  ['a collection of many fields', collectionCreate, collection(fields(2_000))],
  ['a key', apiKeyCreate, { name: long, projectId: 1, permissions: [], collections: [] }],
])('what a form says of %s is never in the words of the validator', (_, schema, input) => {
  const messages = schema.safeParse(input).error?.issues.map(({ message }) => message) ?? [];
  expect(messages.length).toBeGreaterThan(0);
  for (const message of messages) expect(message).toMatch(/^(?:must|may|declare|name|is) /);
});

function collection(fields: object[]) {
  return { name: long, description: long, projectId: 1, metadata: { fields } };
}

function fields(count: number) {
  return Array.from({ length: count }, (_, i) => ({ name: `f${i}`, type: 'string' }));
}
