import { createReadStream } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ChatAnswer } from '#shared/chat.ts';
import type { StoredDocument } from '#shared/documents.ts';
import { products } from '../demo/products.ts';
import {
  type Credentials,
  call,
  createCollection,
  createKey,
  createProject,
  must,
  signUp,
} from '../testing/callers.ts';
import { type Kit, startKit } from '../testing/kit.ts';

/** Conversations over the sample collections, as people hold them: what is asked, and what the answer must say and cite. */

const samples = path.resolve(import.meta.dirname, '../../../samples');
let kit: Kit;
let as: Credentials;

beforeAll(async () => {
  kit = await startKit();
  const owner = await signUp(kit);
  const { id: projectId } = await createProject(kit, owner);
  as = { key: (await createKey(kit, owner, { projectId })).key };
  const collections: Record<string, unknown[]> = {
    films: await readSample('films', ({ title }, i) => famous.has(String(title)) || i % 20 === 0),
    artworks: await readSample('artworks', ({ title }, i) => shown.has(String(title)) || i % 40 === 0),
    products,
  };
  for (const [name, body] of Object.entries(collections)) {
    await createCollection(kit, owner, { projectId, name });
    await must(call(kit, { method: 'POST', path: `/api/collections/${name}/documents/import`, body, as }));
  }
});
afterAll(() => kit.close());

const famous = new Set(
  (
    'Citizen Kane|Casablanca|Vertigo|Psycho|The Godfather|Jaws|Alien|The Shining|Blade Runner|Amadeus|Titanic|The Matrix|Memento|' +
    'Jaws 2|Aliens|Alien Nation|Alien: Covenant|Blade Runner 2049|King Kong|WALL-E|Avatar|Up|Inception|Frozen|Joker|Dune'
  ).split('|'),
);
const shown = new Set([
  'Job and his Family',
  'Landscape with a Peasant on a Path',
  'McBrayne’s Ferry',
  'Room Situation',
]);

async function readSample(
  name: string,
  isWanted: (document: StoredDocument, i: number) => boolean,
): Promise<StoredDocument[]> {
  const input = createReadStream(path.join(samples, `${name}.ndjson.gz`)).pipe(createGunzip());
  const all: StoredDocument[] = [];
  let i = 0;
  for await (const line of createInterface({ input })) {
    const document: StoredDocument = JSON.parse(line);
    if (isWanted(document, i++)) all.push(document);
  }
  return all;
}

/** What is asked, what the answer says, and the title of what it cites first. */
type Said = [message: string, says: string, cites: string];

const dialogues: [collection: string, ...Said[]][] = [
  [
    'films',
    ['Who directed Blade Runner?', 'Ridley Scott', 'Blade Runner'],
    ['When was it released?', '1982', 'Blade Runner'],
  ],
  [
    'films',
    ['What is Alien about?', 'Nostromo', 'Alien'],
    ['Who directed it?', 'Ridley Scott', 'Alien'],
    ['What about Jaws?', 'Steven Spielberg', 'Jaws'],
  ],
  [
    'films',
    ['Is The Shining based on a novel?', 'Stephen King', 'The Shining'],
    ['By whom?', 'Stephen King', 'The Shining'],
  ],
  [
    'films',
    ['Who directed Vertigo?', 'Alfred Hitchcock', 'Vertigo'],
    ['Which novel is it based on?', "D'entre les morts", 'Vertigo'],
  ],
  ['films', ['Tell me about Jaws', 'thriller', 'Jaws'], ['Who directed it?', 'Steven Spielberg', 'Jaws']],
  [
    'films',
    ['Who wrote the screenplay of Psycho?', 'Joseph Stefano', 'Psycho'],
    ['Who stars in it?', 'Anthony Perkins', 'Psycho'],
  ],
  [
    'films',
    ['What is Memento about?', 'Leonard Shelby', 'Memento'],
    ['Who directed the film?', 'Christopher Nolan', 'Memento'],
  ],
  [
    'films',
    ['Who directed Titanic?', 'James Cameron', 'Titanic'],
    ['What about Alien?', 'Ridley Scott', 'Alien'],
  ],
  [
    'films',
    ['Who directed Titanic?', 'James Cameron', 'Titanic'],
    ['And Avatar?', 'James Cameron', 'Avatar'],
  ],
  [
    'films',
    ['Where is Amadeus set?', 'Vienna', 'Amadeus'],
    ['Who plays Mozart in the film?', 'Tom Hulce as Mozart', 'Amadeus'],
  ],
  [
    'films',
    ['When was Casablanca made?', '1942', 'Casablanca'],
    ['And who directed the movie?', 'Michael Curtiz', 'Casablanca'],
  ],
  [
    'films',
    ['Who stars in The Shining?', 'Jack Nicholson', 'The Shining'],
    ['Whose novel is it based on?', 'Stephen King', 'The Shining'],
  ],
  [
    'films',
    ['Who directed Inception?', 'Christopher Nolan', 'Inception'],
    ['Did he direct Memento too?', 'Christopher Nolan', 'Memento'],
  ],
  [
    'films',
    ['What does WALL-E do on Earth?', 'clean up garbage', 'WALL-E'],
    ['Tell me more', 'Pixar', 'WALL-E'],
  ],
  [
    'films',
    ['Which novel is Dune based on?', 'Frank Herbert', 'Dune'],
    ['By whom was it directed?', 'Denis Villeneuve', 'Dune'],
  ],
  ['films', ['Who directed Frozen?', 'Jennifer Lee', 'Frozen'], ['When?', '2013', 'Frozen']],
  [
    'films',
    ['Who wrote The Godfather?', 'Mario Puzo', 'The Godfather'],
    ['Is it part of a trilogy?', 'trilogy', 'The Godfather'],
  ],
  [
    'films',
    ['Who directed The Matrix?', 'Wachowskis', 'The Matrix'],
    ['Who stars in it?', 'Keanu Reeves', 'The Matrix'],
    ['And in Inception?', 'Leonardo DiCaprio', 'Inception'],
  ],
  [
    'films',
    ['What is Citizen Kane?', '1941 American drama', 'Citizen Kane'],
    ['Who starred in it?', 'Orson Welles', 'Citizen Kane'],
  ],
  [
    'artworks',
    ['Who made Job and his Family?', 'William Blake', 'Job and his Family'],
    ['In which year was it made?', '1828', 'Job and his Family'],
  ],
  [
    'artworks',
    [
      'Who painted Landscape with a Peasant on a Path?',
      'Thomas Gainsborough',
      'Landscape with a Peasant on a Path',
    ],
    ['What is its medium?', 'Oil paint on canvas', 'Landscape with a Peasant on a Path'],
  ],
  [
    'artworks',
    ['Who is the artist of Room Situation?', 'Vito Acconci', 'Room Situation'],
    ['And of McBrayne’s Ferry?', 'Barry Flanagan', 'McBrayne’s Ferry'],
  ],
  [
    'products',
    ['How much do the Hush Over-Ear Headphones cost?', '229', 'Hush Over-Ear Headphones'],
    ['What about the Pebble Earbuds?', '89', 'Pebble Earbuds'],
  ],
  [
    'products',
    ['Which brand makes the Porchlight Speaker?', 'Anvil & Reed', 'Porchlight Speaker'],
    ['Is it waterproof?', 'waterproof, floats', 'Porchlight Speaker'],
  ],
  [
    'products',
    [
      'How long do the Hush Over-Ear Headphones play on one charge?',
      'Thirty hours',
      'Hush Over-Ear Headphones',
    ],
    ['What do they cost?', '229', 'Hush Over-Ear Headphones'],
  ],
];

test('there are twenty and more', () => expect(dialogues.length).toBeGreaterThanOrEqual(20));

test.each(
  dialogues.map(
    ([collection, ...said]) => [said.map(([message]) => message).join(' '), collection, said] as const,
  ),
)('%s', async (_, collection, said) => {
  let conversation: number | null = null;
  for (const [message, says, cites] of said) {
    const body = { message, conversation_id: conversation };
    const answer: ChatAnswer = await must(
      call<ChatAnswer>(kit, { method: 'POST', path: `/api/collections/${collection}/chat`, body, as }),
    );
    conversation = answer.conversation_id;
    const about = `${message} (${answer.question}): ${answer.answer}`;
    expect(answer.answer, about).toContain(says);
    const [first] = answer.sentences[0]?.citations ?? [];
    expect(answer.sources[(first?.source ?? 0) - 1]?.title, about).toBe(cites);
  }
});
