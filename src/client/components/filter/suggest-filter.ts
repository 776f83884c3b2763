/**
 * What a filter that cannot be read was probably meant to be, in the form that can: `year > 2000 and genre = Noir` →
 * `year:>2000 && genre:=Noir`. What stands in quotes is left alone.
 */
export function suggestFilter(text: string, fields: string[]): string | null {
  if (text.length > charactersMax) return null;
  const closed = closeQuote(text);
  // Quoted pieces stand at odd places.
  const parts = closed.split(/("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`)/);
  const rewritten = parts.map((part, i) => (i % 2 === 0 ? rewrite(part, fields) : part)).join('');
  const meant = closeBrackets(rewritten).trim();
  const isWhole = meant !== '' && !/(?:&&|\|\||[!:<>=([,])$/.test(meant);
  return isWhole && meant !== text.trim() ? meant : null;
}

/** Longer filters are not typed by hand. */
const charactersMax = 500;
const path = String.raw`[\p{L}_][\p{L}\p{N}_.-]*`;

/** In this order; each makes the forms that the next ones read. */
const forms: [RegExp, string][] = [
  [new RegExp(`(${path})\\s+between\\s+(\\S+)\\s+and\\s+(\\S+)`, 'giu'), '$1:[$2..$3]'],
  [new RegExp(`(${path})\\s+(?:is\\s+)?(?:at least|since|from)\\s+`, 'giu'), '$1:>='],
  [new RegExp(`(${path})\\s+(?:is\\s+)?(?:at most|until|up to)\\s+`, 'giu'), '$1:<='],
  [new RegExp(`(${path})\\s+(?:is\\s+)?(?:over|above|after|more than|greater than)\\s+`, 'giu'), '$1:>'],
  [new RegExp(`(${path})\\s+(?:is\\s+)?(?:under|below|before|less than)\\s+`, 'giu'), '$1:<'],
  [new RegExp(`(${path})\\s+(?:is not|isn't)\\s+`, 'giu'), '$1:!='],
  [new RegExp(`(${path})\\s+(?:is|equals)\\s+`, 'giu'), '$1:='],
  [new RegExp(`(${path})\\s+(?:contains|has)\\s+`, 'giu'), '$1:'],
  [new RegExp(`(${path})\\s+in\\s*[([]([^)\\]]*)[)\\]]?`, 'giu'), '$1:[$2]'],
  [/(?<=\s)and(?=\s)/gi, '&&'],
  [/(?<=\s)or(?=\s)/gi, '||'],
  [/(^|[\s(])not\s+(?=[\p{L}_(])/giu, '$1!'],
  [/(?<!&)&(?!&)/g, '&&'],
  [/(?<!\|)\|(?!\|)/g, '||'],
  [/≥|=>/g, '>='],
  [/≤|=</g, '<='],
  [/≠|<>/g, '!='],
  [new RegExp(`(${path})\\s*:?\\s*==?\\s*`, 'gu'), '$1:='],
  [new RegExp(`(${path})\\s*:?\\s*(!=|>=|<=|>|<)=?\\s*`, 'gu'), '$1:$2'],
  [/:\s*([^\s[\]()&|,:]+\.\.[^\s[\]()&|,]*)/g, ':[$1]'],
];

function rewrite(part: string, fields: string[]): string {
  const formed = forms.reduce((text, [form, meant]) => text.replace(form, meant), part);
  const named = formed.replace(
    new RegExp(`(${path})(?=\\s*:)`, 'gu'),
    (name) => nearestField(name, fields) ?? name,
  );
  // Two conditions side by side: both are meant.
  return named.replace(new RegExp(`([^\\s&|(!,[])\\s+(?=!?${path}:)`, 'gu'), '$1 && ');
}

/** Null: it is one, or none is near. */
function nearestField(name: string, fields: string[]): string | null {
  if (fields.length === 0 || name === 'id' || fields.includes(name)) return null;
  const folded = name.toLowerCase();
  const far = Math.max(1, Math.floor(name.length / 3)) + 1;
  let best: { field: string; distance: number } | null = null;
  for (const field of fields) {
    const distance = editDistance(folded, field.toLowerCase());
    if (distance < (best?.distance ?? far)) best = { field, distance };
  }
  return best?.field ?? null;
}

/** Letters to add, leave out or replace. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

function closeQuote(text: string): string {
  const open = text.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`/g, '').match(/["'`]/)?.[0];
  return open === undefined ? text : text + open;
}

/** Closes what is open, and leaves out a joining word that nothing follows. */
function closeBrackets(text: string): string {
  const bare = text.replace(/\s*(?:&&|\|\|)\s*$/, '');
  const open: string[] = [];
  for (const unit of bare.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`/g, '')) {
    if (unit === '[') open.push(']');
    if (unit === '(') open.push(')');
    if (unit === open.at(-1)) open.pop();
  }
  return bare + open.reverse().join('');
}
