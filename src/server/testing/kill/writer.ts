import type { RandomNumbers } from '#server/random-numbers.ts';
import type { Doc, Ledger } from './ledger.ts';
import { NoAnswer, type RestClient } from './rest-client.ts';

export const words = (
  'amber anchor autumn bridge candle canyon castle cedar comet copper coral desert dragon ember falcon forest garden glacier ' +
  'harbor hollow island ivory jungle lantern marble meadow mirror mountain ocean orchid pepper planet prairie quartz raven ' +
  'river saddle shadow silver spider storm summit temple thunder timber valley velvet violin walnut winter'
).split(' ');

export interface Writer {
  collection: string;
  /** No other writer uses its ids or changes its documents, so it knows what each answer means. */
  name: string;
  ledger: Ledger;
  /** Begun with a key and not answered. */
  unfinished: KeyedImport[];
  onAnswer: () => void;
  /** That the kill is done: a database may be back before a write notices that it was gone. */
  isOver: () => boolean;
}

/** An import whose documents get their ids from the server, once, however often it is sent. */
export interface KeyedImport {
  key: string;
  docs: Omit<Doc, 'id'>[];
}

const idsMax = 100;

/** Writes of every kind, one after the other, until the server is gone or the kill is over. @throws Error at an answer that contradicts the ledger */
export async function writeUntilKilled(
  rest: RestClient,
  random: RandomNumbers,
  writer: Writer,
): Promise<void> {
  try {
    while (!writer.isOver()) {
      await random.pick(kinds)(rest, random, writer);
      writer.onAnswer();
    }
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
  }
}

type Write = (rest: RestClient, random: RandomNumbers, writer: Writer) => Promise<void>;

function makeDoc(random: RandomNumbers, writer: Writer, id: string): Doc {
  const text = (count: number) => Array.from({ length: count }, () => random.pick(words)).join(' ');
  return {
    id,
    writer: writer.name,
    title: text(3),
    body: text(random.between(5, 30)),
    n: random.between(0, 99),
    // A field whose type changes from document to document.
    mixed: random.next() < 0.5 ? random.between(0, 9) : random.pick(words),
    token: `t${random.between(0, 1e9).toString(36)}x${random.between(0, 1e9).toString(36)}`,
  };
}

const importDocs: Write = async (rest, random, writer) => {
  const ids = new Set(
    Array.from({ length: random.between(1, 40) }, () => `${writer.name}-${random.between(1, idsMax)}`),
  );
  const docs = [...ids].map((id) => makeDoc(random, writer, id));
  for (const doc of docs) writer.ledger.ask(doc.id, doc);
  const summary = await rest.import(writer.collection, docs);
  for (const { id, success } of summary.results) if (success && id !== null) writer.ledger.answer(id);
  const isAway = summary.results.some(({ code }) => code === 'UNAVAILABLE');
  if (isAway) throw new NoAnswer('some rows were not answered');
  if (summary.succeeded !== docs.length) throw new Error(`import: ${JSON.stringify(summary)}`);
};

const importWithKey: Write = async (rest, random, writer) => {
  const docs = Array.from({ length: random.between(1, 300) }, () => {
    const { id: _, ...doc } = makeDoc(random, writer, '');
    return doc;
  });
  const begun = { key: `${writer.name}-${random.between(0, 1e9)}`, docs };
  writer.unfinished.push(begun);
  await finishImport(rest, writer, begun);
};

/** Sends it, or sends it again. @throws Error unless each document is in, once */
export async function finishImport(
  rest: RestClient,
  { collection, ledger, unfinished }: Pick<Writer, 'collection' | 'ledger' | 'unfinished'>,
  begun: KeyedImport,
): Promise<void> {
  const { results } = await rest.import(collection, begun.docs, begun.key);
  if (results.some(({ code }) => code === 'UNAVAILABLE')) throw new NoAnswer('some rows were not answered');
  const ids = results.flatMap(({ id, success }) => (success && id !== null ? id : []));
  if (new Set(ids).size !== begun.docs.length) throw new Error(`import: ${JSON.stringify(results)}`);
  for (const [place, id] of ids.entries()) {
    ledger.ask(id, { ...begun.docs[place], id });
    ledger.answer(id);
  }
  unfinished.splice(unfinished.indexOf(begun), 1);
}

const createDoc: Write = async (rest, random, writer) => {
  const doc = makeDoc(random, writer, `${writer.name}-${random.between(1, idsMax)}`);
  if (writer.ledger.answered.get(doc.id)) return;
  writer.ledger.ask(doc.id, doc);
  await rest.create(writer.collection, doc);
  writer.ledger.answer(doc.id);
};

const mergeDoc: Write = async (rest, random, writer) => {
  const present = writer.ledger.present(writer.name);
  if (present.length === 0) return;
  const doc = random.pick(present);
  const change = { n: random.between(0, 99), title: `${random.pick(words)} ${random.pick(words)}` };
  writer.ledger.ask(doc.id, { ...doc, ...change });
  await rest.merge(writer.collection, doc.id, change);
  writer.ledger.answer(doc.id);
};

const removeDoc: Write = async (rest, random, writer) => {
  const present = writer.ledger.present(writer.name);
  if (present.length === 0) return;
  const doc = random.pick(present);
  writer.ledger.ask(doc.id, null);
  await rest.remove(writer.collection, doc.id);
  writer.ledger.answer(doc.id);
};

const removeSome: Write = async (rest, random, writer) => {
  const n = random.between(0, 97);
  const inRange = (doc: Doc) => Number(doc['n']) >= n && Number(doc['n']) <= n + 2;
  const going = writer.ledger.present(writer.name).filter(inRange);
  writer.ledger.askTogether(new Map(going.map(({ id }) => [id, null])));
  const removed = await rest.removeWhere(writer.collection, `writer:=${writer.name} && n:[${n}..${n + 2}]`);
  if (removed !== going.length) throw new Error(`deleted ${removed} by filter, ${going.length} were there`);
  for (const doc of going) writer.ledger.answer(doc.id);
};

const changeSome: Write = async (rest, random, writer) => {
  const n = random.between(0, 90);
  const change = { n: random.between(0, 99), body: `${random.pick(words)} ${random.pick(words)}` };
  const inRange = (doc: Doc) => Number(doc['n']) >= n && Number(doc['n']) <= n + 9;
  const changing = writer.ledger.present(writer.name).filter(inRange);
  writer.ledger.askTogether(new Map(changing.map((doc) => [doc.id, { ...doc, ...change }])));
  const filter = `writer:=${writer.name} && n:[${n}..${n + 9}]`;
  const changed = await rest.mergeWhere(writer.collection, filter, change);
  if (changed !== changing.length)
    throw new Error(`changed ${changed} by filter, ${changing.length} were there`);
  for (const doc of changing) writer.ledger.answer(doc.id);
};

const kinds: Write[] = [
  importDocs,
  importDocs,
  importWithKey,
  importWithKey,
  createDoc,
  createDoc,
  mergeDoc,
  mergeDoc,
  removeDoc,
  removeSome,
  changeSome,
];
