import { describe, expect, it } from 'vitest';
import { fillSample, readSample } from './sample-request.ts';

const own = { origin: 'https://search.example.com', key: 'vk_1', collection: 'my films' };

describe('a line of curl', () => {
  it('is read as its request', () => {
    const line = `curl -X PUT "$URL/api/collections/films/settings" -H "X-API-Key: $KEY" \\
      -H 'Content-Type: application/json' -d '{"stop_words":["the"]}'`;
    expect(readSample(line)).toEqual({
      method: 'PUT',
      path: '/api/collections/films/settings',
      headers: {},
      body: { stop_words: ['the'] },
    });
  });

  it('posts what has a body, and keeps a text that is no JSON', () => {
    const line = `curl "$URL/api/x" -H "X-API-Key: $KEY" -H 'Content-Type: text/csv' --data-binary 'id,title\n1,A'`;
    const headers = { 'Content-Type': 'text/csv' };
    expect(readSample(line)).toEqual({ method: 'POST', path: '/api/x', headers, text: 'id,title\n1,A' });
  });

  it.each([
    'npm start',
    'curl "$URL/api/x" | jq .',
    'curl "$URL/api/x"\ncurl "$URL/api/y"',
    '# A comment\ncurl "$URL/api/x"',
    'curl https://example.com',
    'curl "$URL/api/x" --unknown',
    'curl "$URL/api/x" > file',
  ])('is no sample: %s', (line) => expect(readSample(line)).toBeNull());
});

describe('filled in', () => {
  const sample = (line: string) => {
    const read = readSample(line);
    if (!read) throw new Error('It was not read');
    return fillSample(read, own);
  };

  it('it has the own host, key and collection', () => {
    expect(sample('curl "$URL/api/collections/films/search?q=robot" -H "X-API-Key: $KEY"')).toEqual({
      method: 'GET',
      url: 'https://search.example.com/api/collections/my%20films/search?q=robot',
      headers: { 'X-API-Key': 'vk_1' },
    });
  });

  it('bodies name the own collection, where they name one', () => {
    const { body } = sample(
      `curl "$URL/api/multi-search" -H 'Content-Type: application/json' -d '{"searches":[{"collection":"films","query":"films"},{"collections":["films","books"]}]}'`,
    );
    expect(body).toEqual({
      searches: [{ collection: 'my films', query: 'films' }, { collections: ['my films', 'books'] }],
    });
  });

  it('other collections keep their names', () => {
    expect(sample('curl "$URL/api/collections/films-2"').url).toMatch(/\/films-2$/);
    expect(sample('curl "$URL/api/collections/films"').url).toMatch(/\/my%20films$/);
  });

  it('without a collection of their own readers see the sample’s', () => {
    const read = readSample('curl "$URL/api/collections/films/search"');
    expect(read && fillSample(read, { ...own, collection: null }).url).toMatch(/\/films\/search$/);
  });
});
