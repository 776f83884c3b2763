/** Callers that write, update, import and search through a proxy, and know what was answered. */
import { randomUUID } from 'node:crypto';

const rowsOfImport = 100;
const sharedDocuments = 3;
const words = ['torch', 'lamp', 'river', 'silent', 'robot', 'love'];

/** @param ask answers `{status, body, retryAfter}`; status 0: no answer */
export function startLoad({ ask, collection, prefix }) {
  const acknowledged = new Set();
  const clients = [];
  const counts = {
    writes: 0,
    updates: 0,
    imports: 0,
    searches: 0,
    /** Of these, while the cluster was away. */
    fromRecord: 0,
    failed: 0,
    unseen: 0,
    withoutRetryAfter: 0,
    other: {},
  };
  let isStopped = false;

  /** Longest time from the first failed request to the next answered one, by what is asked. */
  const longestMs = { writes: 0, updates: 0, imports: 0, searches: 0 };
  const run = (kind, step) => {
    let failingSince = null;
    const close = () => {
      if (failingSince === null) return;
      longestMs[kind] = Math.max(longestMs[kind], performance.now() - failingSince);
      failingSince = null;
    };
    const loop = async () => {
      for (let turn = 0; !isStopped; turn += 1) {
        const startedAt = performance.now();
        const { status, retryAfter, what } = await step(turn);
        if (status >= 200 && status < 300) close();
        else {
          counts.failed += 1;
          failingSince ??= startedAt;
          if (status === 503 && !retryAfter) counts.withoutRetryAfter += 1;
          const name = `${kind} ${status}`;
          counts.other[name] = (counts.other[name] ?? 0) + 1;
          if (what) counts.other[what] = (counts.other[what] ?? 0) + 1;
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      }
      close();
    };
    clients.push(loop());
  };

  const route = (rest) => `/api/collections/${collection}/${rest}`;
  const writer = (name) =>
    run('writes', async (turn) => {
      const id = `${prefix}${name}${turn}`;
      const title = `${words[turn % words.length]} ${id}`;
      const answer = await ask('POST', route('documents?action=create'), JSON.stringify({ id, title, turn }));
      if (answer.status !== 201) return answer;
      counts.writes += 1;
      acknowledged.add(id);
      const query = `query=${id}&num_typos=0&prefix=false`;
      const found = await ask('GET', route(`search?${query}`));
      if (found.status === 200 && found.body.hits.length !== 1) {
        counts.unseen += 1;
        const what = `${found.body.hits.length} hits for ${id}: ${found.body.hits.map((hit) => hit.document?.title).join('; ')}`;
        if (counts.unseen < 4) counts.other[what] = 1;
      }
      return answer;
    });
  /** By document and field: what was answered last, and what was sent without an answer, which may be stored at any time. */
  const sent = new Map();
  /** Changes one field of documents whose other field another one changes. */
  const updater = (field) =>
    run('updates', async (turn) => {
      const id = `${prefix}s${turn % sharedDocuments}`;
      const place = `${id} ${field}`;
      const before = sent.get(place) ?? { answered: undefined, unsure: new Set() };
      sent.set(place, before);
      const body = JSON.stringify({ id, title: 'shared', [field]: turn });
      const answer = await ask('POST', route('documents?action=emplace'), body);
      if (answer.status >= 200 && answer.status < 300) {
        before.answered = turn;
        counts.updates += 1;
        acknowledged.add(id);
      } else before.unsure.add(turn);
      return answer;
    });
  /** Fields that have another value than was answered last, among the documents of the record. */
  const undoneIn = (documents) => {
    const stored = new Map(documents.map((document) => [document.id, document]));
    return [...sent].filter(([place, { answered, unsure }]) => {
      const [id, field] = place.split(' ');
      const value = stored.get(id)?.[field];
      return value !== answered && !unsure.has(value);
    }).length;
  };
  /** With one key until it is answered, as callers do who want it once. */
  const importer = () => {
    let number = 0;
    let key = randomUUID();
    run('imports', async () => {
      const ids = Array.from({ length: rowsOfImport }, (_, i) => `${prefix}i${number}r${i}`);
      const rows = ids.map((id, i) =>
        JSON.stringify({ id, title: `${words[i % words.length]} ${id}`, turn: i }),
      );
      const headers = { 'content-type': 'application/x-ndjson', 'idempotency-key': key };
      const answer = await ask('POST', route('documents/import'), rows.join('\n'), headers);
      if (answer.status !== 200) return answer;
      const failed = answer.body.failed ?? 0;
      if (failed > 0) return { ...answer, status: 599, what: `an import answered ${failed} failed rows` };
      for (const id of ids) acknowledged.add(id);
      counts.imports += 1;
      number += 1;
      key = randomUUID();
      return answer;
    });
  };
  const searcher = (mode) =>
    run('searches', async (turn) => {
      const answer = await ask('GET', route(`${mode}?query=${words[turn % words.length]}&k=10`));
      counts.searches += answer.status === 200 ? 1 : 0;
      if (answer.status === 200 && answer.body.request.without_cluster) counts.fromRecord += 1;
      return answer;
    });

  writer('a');
  writer('b');
  updater('left');
  updater('right');
  importer();
  searcher('search');
  searcher('hybrid-search');
  const stop = async () => {
    isStopped = true;
    await Promise.all(clients);
  };
  return { acknowledged, counts, longestMs, undoneIn, stop };
}
