/**
 * Each operation of the API with the largest values that its description allows: each parameter and each member of the body alone, and all together, in
 * texts of several kinds, against a collection of some thousand documents with rules. No request holds the main thread for more than 50 ms at a time, by its own
 * processor time, and none is answered with a fault of the server's.
 *
 *   node scripts/attacks/largest-requests.mjs [--only chat] [--told 10]
 */
import { parseArgs } from 'node:util';
import { print, withTarget } from './target.mjs';
import { judge, judgeAtMost } from './verdict.mjs';

const { values } = parseArgs({
  options: { only: { type: 'string' }, told: { type: 'string', default: '10' } },
});
const turnMsMost = 50;
const documents = 3_000;
/** A little less than the largest body of a search, and of all else. */
const bytesMax = { search: 250_000, other: 4_000_000 };
const arrayItemsMax = 20_000;
const depthMax = 6;

const texts = {
  numbers: (length) =>
    cut(Array.from({ length: length / 5 + 1 }, (_, i) => 1_000 + (i % 9_000)).join(' '), length),
  words: (length) =>
    cut(
      Array.from({ length: length / 3 + 1 }, (_, i) => ((i * 7_919) % 46_656).toString(36)).join(' '),
      length,
    ),
  'one word': (length) => 'a'.repeat(length),
  Capitals: (length) => cut('Paris London Rome '.repeat(length / 18 + 1), length),
  quotes: (length) => cut('"a b" -"c" '.repeat(length / 11 + 1), length),
  brackets: (length) => '('.repeat(length),
  conditions: (length) => cut(`${'year:>1 || title:a && '.repeat(length / 22 + 1)}`, length),
  commas: (length) => cut('title,year,_score:desc,'.repeat(length / 23 + 1), length),
  marks: (length) => cut('e\u0301\u0302'.repeat(length / 3 + 1), length),
  Chinese: (length) => cut('漢字検索'.repeat(length / 4 + 1), length),
};

function cut(text, length) {
  return text.slice(0, length);
}

/** The largest value that a schema allows, its texts made by `textOf`. */
function largest(schema, { of, textOf, bytes }, depth = 0) {
  const own = of(schema);
  if (own.const !== undefined) return own.const;
  if (own.enum) return own.enum.at(-1);
  const either = own.anyOf ?? own.oneOf;
  if (either)
    return largest(either.find((each) => of(each).type !== 'null') ?? {}, { of, textOf, bytes }, depth);
  if (own.allOf)
    return Object.assign({}, ...own.allOf.map((each) => largest(each, { of, textOf, bytes }, depth)));
  const type = Array.isArray(own.type) ? own.type[0] : own.type;
  if (type === 'string')
    return own.format ? '2026-01-02T03:04:05Z' : textOf(Math.min(own.maxLength ?? bytes / 2, bytes / 2));
  if (type === 'integer' || type === 'number')
    return Math.min(own.maximum ?? own.exclusiveMaximum ?? 1_000, 1_000_000);
  if (type === 'boolean') return true;
  if (type === 'array') {
    const item = largest(own.items ?? {}, { of, textOf, bytes: bytes / 10 }, depth + 1);
    const room = Math.floor(bytes / (JSON.stringify(item).length + 1));
    const count = Math.max(1, Math.min(own.maxItems ?? arrayItemsMax, room));
    return Array.from({ length: count }, (_, i) => numbered(item, i));
  }
  if (own.properties) return members(own, { of, textOf, bytes }, depth);
  if (depth > depthMax) return 1;
  return Object.fromEntries(Array.from({ length: Math.min(2_000, bytes / 20) }, (_, i) => [`k${i}`, i]));
}

function members({ properties = {}, required = [] }, making, depth) {
  const names = depth > 1 ? required : Object.keys(properties);
  return Object.fromEntries(names.map((name) => [name, largest(properties[name] ?? {}, making, depth + 1)]));
}

/** So that not all items of a list are the same one. */
function numbered(item, i) {
  if (typeof item === 'object' && item !== null && 'id' in item) return { ...item, id: `d${i}` };
  return item;
}

/** Whatever a request may hold, by where: its query, and its body. */
function* requestsOf(operation, making) {
  const { of } = making;
  const parameters = (operation.parameters ?? []).map(of).filter((each) => each.in === 'query');
  const body = operation.requestBody && of(operation.requestBody).content?.['application/json']?.schema;
  for (const parameter of parameters) {
    const value = largest(parameter.schema, { ...making, bytes: 12_000 });
    yield { what: parameter.name, query: { [parameter.name]: value } };
  }
  if (!body) return;
  const schema = of(body);
  const whole = largest(body, making);
  yield { what: 'all', body: whole };
  for (const name of Object.keys(schema.properties ?? {})) {
    const needed = (schema.required ?? []).filter((each) => each !== name);
    const small = { ...making, textOf: (length) => 'love'.slice(0, length), bytes: 100 };
    const rest = needed.map((each) => [each, largest(schema.properties[each], small)]);
    yield {
      what: name,
      body: { ...Object.fromEntries(rest), [name]: largest(schema.properties[name], making) },
    };
  }
}

/** Not tried: what ends the attack's own means, and what waits for changes. */
const left = [
  /auth\//,
  /account/,
  /workspaces/,
  /projects/,
  /api-keys/,
  /live/,
  /openapi/,
  /^DELETE \/api\/collections\/\{name\}$/,
];

await withTarget(async (target) => {
  await target.createCollection('films', 384);
  const rows = Array.from({ length: documents }, (_, i) =>
    JSON.stringify({
      id: `d${i}`,
      title: `Love ${texts.words(40)} ${i}`,
      year: 1_900 + (i % 120),
      text: `Robots learn to love garden ${i}. `.repeat(20),
    }),
  );
  const imported = await target.send('POST', '/api/collections/films/documents/import', rows.join('\n'), {
    'content-type': 'application/x-ndjson',
  });
  if (imported.status !== 200) throw new Error(`import: ${imported.status} ${imported.text}`);
  const description = await (await fetch(`${target.url}/api/openapi.json`)).json();
  const of = (schema) => {
    const name = schema?.$ref?.split('/').slice(1);
    return name ? of(name.reduce((at, each) => at[each], description)) : (schema ?? {});
  };
  const worst = [];
  for (const [path, operations] of Object.entries(description.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const name = `${method.toUpperCase()} ${path}`;
      if (
        !operation.responses ||
        left.some((each) => each.test(name)) ||
        (values.only && !name.includes(values.only))
      )
        continue;
      const at = path.replaceAll(/\{(\w+)\}/g, (_, parameter) => (parameter === 'name' ? 'films' : 'd1'));
      const bytes = /search|suggest|explain|chat/.test(path) ? bytesMax.search : bytesMax.other;
      for (const [kind, textOf] of Object.entries(texts)) {
        for (const { what, query = {}, body } of requestsOf(operation, { of, textOf, bytes })) {
          const text = new URLSearchParams(
            Object.entries(query).map(([key, value]) => [
              key,
              typeof value === 'object' ? JSON.stringify(value) : String(value),
            ]),
          );
          await target.longestTurn();
          const { status, tookMs } = await target.send(
            method.toUpperCase(),
            `${at}${text.size > 0 ? `?${text}` : ''}`,
            body,
          );
          const { processorMs, wallMs } = await target.longestTurn();
          const turnMs = Number.isNaN(processorMs) ? wallMs : processorMs;
          worst.push({ request: `${name}: ${what}, ${kind}`, status, turnMs, tookMs });
        }
      }
    }
  }
  worst.sort((a, b) => b.turnMs - a.turnMs);
  for (const { request, status, turnMs, tookMs } of worst.slice(0, Number(values.told)))
    print(`${request}: ${status}, a turn of ${turnMs} ms, ${tookMs} ms in all`);
  const slowest = worst.toSorted((a, b) => b.tookMs - a.tookMs);
  for (const { request, status, turnMs, tookMs } of slowest.slice(0, Number(values.told)))
    print(`slowest: ${request}: ${status}, a turn of ${turnMs} ms, ${tookMs} ms in all`);
  const faults = worst.filter(({ status }) => status >= 500 && status !== 503);
  judge(`${worst.length} requests: the answers`, {
    expected: 'no fault of the server',
    found: faults.map(({ request, status }) => `${status} ${request}`).join('; ') || 'none',
    isFine: faults.length === 0,
  });
  judgeAtMost('the longest turn of the main thread', turnMsMost, worst[0]?.turnMs ?? Number.NaN, 'ms');
  judge('the server', {
    expected: 'alive',
    found: target.isAlive() ? 'alive' : 'gone',
    isFine: target.isAlive(),
  });
});
