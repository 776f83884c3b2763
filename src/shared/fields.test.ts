import { expect, it } from 'vitest';
import { registerInput } from './accounts.ts';
import { name } from './fields.ts';

it.each(['Films', 'أفلام', 'סרטים', '映画', '🎬', '👩\u200d🔬', '=SUM(A1)', 'می\u200cخواهم'])(
  '%s is a name',
  (text) => {
    expect(name.parse(` ${text} `)).toBe(text);
  },
);

it.each([
  ['a line break', 'a\nb'],
  ['a character that turns what stands behind it', 'paid\u202e)lim'],
  ['a character that isolates', '\u2067abc'],
])('%s is in no name, nor in the name of a person', (_, text) => {
  expect(name.safeParse(text).error?.issues[0]?.message).toBe('must not contain control characters');
  const person = registerInput.safeParse({ firstName: text });
  const own = person.error?.issues.find(({ path }) => path[0] === 'firstName');
  expect(own?.message).toBe('must not contain control characters');
});

it('a name can be seen', () => {
  expect(name.safeParse('\u200b\u200d').error?.issues[0]?.message).toBe(
    'must have a character that can be seen',
  );
  expect(name.safeParse('').error?.issues.map(({ message }) => message)).toEqual(['is required']);
});
