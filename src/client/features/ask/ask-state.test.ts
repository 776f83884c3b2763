import { expect, it } from 'vitest';
import { askState, openSource, sourceText } from './ask-state.ts';

const read = (search: object) => askState(search as Parameters<typeof askState>[0]);

it('what cannot be read of an address falls back', () => {
  expect(read({})).toEqual({ model: 'vector-ai', collections: undefined, source: undefined });
  expect(read({ model: 'claude', collections: [3, 1] })).toMatchObject({
    model: 'claude',
    collections: [3, 1],
  });
  const broken = { model: 'gpt-9', collections: [1, 'x'], source: 7 };
  expect(read(broken)).toEqual({ model: 'vector-ai', collections: undefined, source: '7' });
});

it('a source is read as it is written', () => {
  for (const sentence of [null, 0, 2]) {
    const source = { message: 12, number: 3, sentence };
    expect(openSource(sourceText(source))).toEqual(source);
  }
  for (const text of [undefined, '', '12', '12.x', '1.2.3.4']) expect(openSource(text)).toBeNull();
});
