import { expect, test } from 'vitest';
import { procedures } from '#server/rpc/procedures.ts';

/** What is about accounts, not workspaces, or leaves no entry. */
const without =
  /^(auth|account|sessions|secondFactor|chat|analytics)\.|^documents\.(write|replace|merge|delete)$/;

test('each procedure that does something in a workspace says what the audit log calls it', () => {
  const done = [...procedures.values()].filter(
    ({ type, name }) => type === 'mutation' && !without.test(name),
  );
  expect(done.length).toBeGreaterThan(30);
  expect(done.filter(({ act }) => act === null).map(({ name }) => name)).toEqual([]);
});

const words = [...procedures.values()].filter(({ act }) => act !== null);

const module = `/** What the audit log calls each procedure's doing. A test writes it anew: \`npx vitest run audit-words --update\`. */
export const procedureWords: Readonly<Record<string, string>> = {
${words.map(({ name, act }) => `  ${JSON.stringify(name)}: ${JSON.stringify(act)},`).join('\n')}
};
`;

test('the console has their words', async () => {
  await expect(module).toMatchFileSnapshot('../../client/features/settings/audit/procedure-words.gen.ts');
});
