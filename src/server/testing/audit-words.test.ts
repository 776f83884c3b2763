import { expect, test } from 'vitest';
import { actionWords } from '#client/features/settings/audit/audit-words.ts';
import { procedures } from '#server/rpc/procedures.ts';

/** What is about accounts, not workspaces, or leaves no entry. */
const without =
  /^(auth|account|sessions|secondFactor|chat|analytics)\.|^documents\.(write|replace|merge|delete)$/;

test('the console has words for all that is done in a workspace', () => {
  const done = [...procedures.values()].filter(
    ({ type, name }) => type === 'mutation' && !without.test(name),
  );
  expect(done.length).toBeGreaterThan(30);
  expect(done.map(({ name }) => name).filter((name) => !(name in actionWords))).toEqual([]);
});
