import { expect, test } from 'vitest';
import { changeWords } from './change-words.ts';

test('changes are told by what was changed, the most frequent first', () => {
  expect(changeWords([])).toBe('');
  expect(changeWords([{ action: 'overrides.upsert', times: 1 }])).toBe('1 change to overrides');
  expect(
    changeWords([
      { action: 'judgements.put', times: 3 },
      { action: 'searchSettings.update', times: 4 },
      { action: 'judgements.delete', times: 2 },
    ]),
  ).toBe('5 changes to judgements, 4 to search settings');
});
