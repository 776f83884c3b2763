/** The words of a command of bash, up to a comment, as they stand: quotes and what `$(…)` runs are parts of them. @throws Error where one of these has no end */
export function shellWords(command: string): string[] {
  const words: string[] = [];
  let from = 0;
  for (let at = 0; at <= command.length; ) {
    const isBetween = at === command.length || /\s/.test(command.charAt(at));
    if (isBetween && at > from) words.push(command.slice(from, at));
    if (isBetween) from = at + 1;
    else if (at === from && command[at] === '#') return words;
    at = isBetween ? at + 1 : endOfPart(command, at);
  }
  return words;
}

/** What is run where a word is nothing but `$(…)`, in double quotes or without; null: it is another word. */
export function substitutionIn(word: string): string | null {
  const bare = /^"(.*)"$/s.exec(word)?.[1] ?? word;
  const isWhole = bare.startsWith('$(') && endOfPart(bare, 0) === bare.length;
  return isWhole ? bare.slice(2, -1) : null;
}

/** Behind the quoted part, the `$(…)` or the character that begins there. */
function endOfPart(text: string, from: number): number {
  if (text[from] === '\\') return from + 2;
  if (text[from] === "'") return endBy(text, from + 1, { end: "'", isPlain: true });
  if (text[from] === '"') return endBy(text, from + 1, { end: '"', isPlain: false });
  if (text.startsWith('$(', from)) return endBy(text, from + 2, { end: ')', isPlain: false });
  return from + 1;
}

/** `isPlain`: nothing else begins or is escaped in it. */
function endBy(text: string, from: number, { end, isPlain }: { end: string; isPlain: boolean }): number {
  for (let at = from; at < text.length; ) {
    if (text[at] === end) return at + 1;
    // An apostrophe in double quotes is one.
    const isOne = isPlain || (end === '"' && text[at] === "'");
    at = isOne ? at + 1 : endOfPart(text, at);
  }
  throw new Error(`this has no end: ${text.slice(from - 1)}`);
}
