/**
 * The request that an article shows: written in Markdown as one line of curl, from which the console makes the other languages.
 * `$URL` and `$KEY` stand for the reader's own host and key, `films` in a path or as a body's `collection` for the collection.
 */
export interface SampleRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With its query: `/api/collections/films/search?q=robot`. */
  path: string;
  /** All but the key. */
  headers: Record<string, string>;
  /** Of a JSON body; absent: it has none. */
  body?: unknown;
  /** Of any other body, as it is sent. */
  text?: string;
}

export const sampleCollection = 'films';

/** What a block of shell asks for where it is one line of curl to `$URL` with `$KEY`; null: it is something else. */
export function readSample(shell: string): SampleRequest | null {
  const words = shellWords(shell.trim());
  if (words?.[0] !== 'curl') return null;
  const sample: SampleRequest = { method: 'GET', path: '', headers: {} };
  let data: string | undefined;
  let method: string | undefined;
  for (let at = 1; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '-X') method = words[++at];
    else if (word === '-H') addHeader(sample.headers, words[++at] ?? '');
    else if (word === '-d' || word === '--data-binary') data = words[++at];
    else if (word.startsWith('$URL/')) sample.path = word.slice('$URL'.length);
    else if (!/^-[sgN]+$/.test(word)) return null;
  }
  if (sample.path === '') return null;
  sample.method = (method ?? (data === undefined ? 'GET' : 'POST')) as SampleRequest['method'];
  if (data === undefined) return sample;
  const { 'Content-Type': type = '', ...headers } = sample.headers;
  return type === 'application/json'
    ? { ...sample, headers, body: JSON.parse(data) }
    : { ...sample, text: data };
}

function addHeader(headers: Record<string, string>, line: string): void {
  const [, name = '', value = ''] = /^([\w-]+): (.*)$/.exec(line) ?? [];
  if (name !== 'X-API-Key') headers[name] = value;
}

/** The words of one command, whose quotes are around whole words; null where it is more than that. */
function shellWords(shell: string): string[] | null {
  const words: string[] = [];
  const word = /(?:[ \t]|\\\n)*(?:'([^']*)'|"([^"]*)"|([^\s'"|&;<>\\]+))(?=\s|$)/gy;
  while (word.lastIndex < shell.length) {
    const found = word.exec(shell);
    if (!found) return null;
    words.push(found[1] ?? found[2] ?? found[3] ?? '');
  }
  return words;
}

interface OwnValues {
  /** `https://search.example.com` */
  origin: string;
  key: string;
  /** Null: it stays the sample's. */
  collection: string | null;
}

export type FilledRequest = Omit<SampleRequest, 'path'> & { url: string };

/** The request as the reader would send it. */
export function fillSample(sample: SampleRequest, { origin, key, collection }: OwnValues): FilledRequest {
  const { path, headers, body, ...rest } = sample;
  const name = collection ?? sampleCollection;
  const ownPath = path.replace(
    new RegExp(`^/api/collections/${sampleCollection}(?=[/?]|$)`),
    () => `/api/collections/${encodeURIComponent(name)}`,
  );
  return {
    ...rest,
    url: `${origin}${ownPath}`,
    headers: { 'X-API-Key': key, ...headers },
    ...(body !== undefined && { body: withCollection(body, name) }),
  };
}

/** In whatever names a collection: `collection`, `collections`, also within a list of searches. */
function withCollection(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((one) => withCollection(one, name));
  if (typeof value !== 'object' || value === null) return value;
  const own = (one: unknown) => (one === sampleCollection ? name : one);
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => {
      if (key === 'collection') return [key, own(one)];
      if (key === 'collections') return [key, Array.isArray(one) ? one.map(own) : one];
      return [key, key === 'searches' ? withCollection(one, name) : one];
    }),
  );
}
