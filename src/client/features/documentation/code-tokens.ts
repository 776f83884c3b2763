export interface CodeToken {
  kind: 'text' | 'comment' | 'word' | 'number' | null;
  text: string;
  /** Where it begins. */
  offset: number;
}

const words: Record<string, string> = {
  fetch: 'const|let|await|async|if|throw|new|return|function|import|from|export|of|for',
  js: 'const|let|await|async|if|throw|new|return|function|import|from|export|of|for',
  python: 'import|from|as|with|print|def|return|for|in|if|None|True|False',
  curl: 'curl',
  sh: 'curl|npm|export|echo|printf',
  json: 'true|false|null',
};

/** Marks texts, comments, keywords and numbers, which is what makes a short sample readable; it is no parser. */
export function codeTokens(code: string, language: string): CodeToken[] {
  const known = words[language];
  if (known === undefined) return [{ kind: null, text: code, offset: 0 }];
  const comment = language === 'fetch' || language === 'js' ? '(?<=^|\\s)//.*' : '(?<=^|\\s)#.*';
  // A template of JavaScript is a text as well; in JSON and Python a single quote may stand alone.
  const text = String.raw`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\]|\\.)*'|${'`'}(?:[^${'`'}\\]|\\.)*${'`'}`;
  const number = String.raw`(?<![\w.$-])-?\d+(?:\.\d+)?(?![\w.])`;
  const token = new RegExp(
    `(?<text>${text})|(?<comment>${comment})|(?<word>\\b(?:${known})\\b)|(?<number>${number})`,
    'gm',
  );
  const tokens: CodeToken[] = [];
  let at = 0;
  for (const match of code.matchAll(token)) {
    if (match.index > at) tokens.push({ kind: null, text: code.slice(at, match.index), offset: at });
    const kinds = ['text', 'comment', 'word', 'number'] as const;
    const kind = kinds.find((one) => match.groups?.[one] !== undefined) ?? null;
    tokens.push({ kind, text: match[0], offset: match.index });
    at = match.index + match[0].length;
  }
  if (at < code.length) tokens.push({ kind: null, text: code.slice(at), offset: at });
  return tokens;
}
