import { afterEach, expect, test, vi } from 'vitest';
import { tokenize } from '#server/engine/search-index.ts';
import { TypedText } from './match-completion.ts';
import { matchingCompletions } from './matching-completions.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const completionsOf = (texts: string[]) => texts.map((text) => ({ text, words: tokenize(text) }));

test('what has no typos comes first, then what begins with what is typed; typos only where too few match', async () => {
  const completions = completionsOf(['the stalker', 'stalker', 'stanley', 'stal']);
  const typed = new TypedText(['stalk']);
  const textsOf = async (enough: number) =>
    (await matchingCompletions(completions, typed, { enough, turn: async () => {} })).map(({ text }) => text);
  expect(await textsOf(2)).toEqual(['stalker', 'the stalker']);
  expect(await textsOf(10)).toEqual(['stalker', 'the stalker', 'stal']);
});

test('others have their turns while many are compared', async () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 1;
    return now;
  });
  let turns = 0;
  const turn = async () => {
    turns += 1;
  };
  const completions = completionsOf(Array.from({ length: 100 }, () => 'star wars'));
  const found = await matchingCompletions(completions, new TypedText(['sta']), { enough: 1, turn });
  expect(found).toHaveLength(100);
  expect(turns).toBeGreaterThan(10);
});
