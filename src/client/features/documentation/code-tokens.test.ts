// @vitest-environment node
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { codeTokens } from './code-tokens.ts';

const marked = (code: string, language: string) =>
  codeTokens(code, language).flatMap(({ kind, text }) => (kind === null ? [] : [`${kind} ${text}`]));

it('marks what makes a sample readable', () => {
  expect(marked(`curl -g 'http://x/?a=1#b' # all\n  -H "A: 1"`, 'curl')).toEqual([
    'word curl',
    "text 'http://x/?a=1#b'",
    'comment # all',
    'text "A: 1"',
  ]);
  expect(marked(`const k = 5; // \`one\`\nawait fetch(\`\${url}/x\`);`, 'js')).toEqual([
    'word const',
    'number 5',
    'comment // `one`',
    'word await',
    `text \`\${url}/x\``,
  ]);
  expect(marked('x = None  # nothing\nprint("it\'s")', 'python')).toEqual([
    'word None',
    'comment # nothing',
    'word print',
    'text "it\'s"',
  ]);
});

it('leaves what it does not know as it is', () => {
  expect(codeTokens('POST /a "b"', '')).toEqual([{ kind: null, text: 'POST /a "b"', offset: 0 }]);
});

it('drops and adds nothing, and knows where each part begins', () => {
  const language = fc.constantFrom('curl', 'fetch', 'python', 'json', 'sh', '');
  const code = fc.string({
    unit: fc.constantFrom('"', "'", '`', '\\', '#', '/', '\n', ' ', 'a', '1', '.', 'if'),
  });
  fc.assert(
    fc.property(code, language, (text, name) => {
      const tokens = codeTokens(text, name);
      expect(tokens.map((token) => token.text).join('')).toBe(text);
      for (const token of tokens) expect(text.startsWith(token.text, token.offset)).toBe(true);
    }),
  );
});
