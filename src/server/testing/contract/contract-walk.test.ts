import { afterAll, beforeAll, expect, test } from 'vitest';
import { listen, type RunningServer } from '#server/http/node-server.ts';
import { catalogue, type Operation } from '#server/rest/catalogue.ts';
import { queryFields } from '#server/rest/describe-parameters.ts';
import { inputSchema, property } from '#server/rest/input-schema.ts';
import type { ErrorBody } from '#shared/errors.ts';
import { call, origin } from '../callers.ts';
import { operations } from '../isolation/operations.ts';
import { Targets } from '../isolation/targets.ts';
import { type Made, makeTenants } from '../isolation/world.ts';
import { type Kit, startKit } from '../kit.ts';
import { edgesOf } from './edges-of.ts';
import { holdBody } from './hold-to-description.ts';
import { toRequest } from './to-request.ts';

/** Each operation over a socket: with what is right, with what is just right, and with each value that its description does not allow. */

let kit: Kit;
let server: RunningServer;
/** The same app behind a port, for `call`. */
let overHttp: Pick<Kit, 'app'>;
let targets: Targets;
let standing: Made;
let serial = 0;

beforeAll(async () => {
  kit = await startKit();
  server = await listen(kit.app, { ...kit.deps.settings, port: 0 }, kit.deps.log);
  const request = async (url: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    // A browser's own: the page that asks came from there.
    if (headers.has('origin')) headers.set('origin', server.url);
    headers.delete('host');
    const asked = { method: init.method ?? 'GET', path: url.slice(origin.length) };
    return holdBody(asked, await fetch(url.replace(origin, server.url), { ...init, headers }));
  };
  overHttp = { app: Object.assign(Object.create(kit.app), { request }) };
  targets = new Targets(kit.deps, await makeTenants(kit.deps));
  standing = await targets.fresh({ before: 'conversation begun' }, ['the owner']);
});
afterAll(async () => {
  await server.close({ graceMs: 0, keptAliveMs: 0 });
  await kit.close();
});

/** Everything that a caller gives, and where. */
function fieldsOf(operation: Operation): { name: string; isText: boolean; isRequired: boolean }[] {
  const { required = [], properties = {} } = inputSchema(operation);
  const inPath = operation.parameters.map(({ field }) => field);
  const inQuery = queryFields(operation);
  const inBody =
    operation.body === 'fields'
      ? Object.keys(properties).filter((name) => !inPath.includes(name) && !inQuery.includes(name))
      : [];
  return [...inPath, ...inQuery, ...inBody].map((name) => ({
    name,
    isText: !inBody.includes(name),
    isRequired: required.includes(name) && !inPath.includes(name),
  }));
}

const walked = catalogue.map((operation) => [`${operation.method} ${operation.path}`, operation] as const);

test.each(walked)('%s with what is right', async (_, operation) => {
  const row = operations[operation.procedure.name];
  const isQuery = operation.procedure.type === 'query';
  const { target, callers } = await (isQuery
    ? targets.untouched(row)
    : targets.forChange(row, ['the owner']));
  const request = toRequest(operation, target, { serial: ++serial });
  const answer = await call(overHttp, { ...request, as: callers('the owner') });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
});

test.each(walked)('%s with what is not', async (_, operation) => {
  const inPath = operation.parameters.map(({ field }) => field);
  for (const { name, isText, isRequired } of fieldsOf(operation)) {
    const { invalid } = edgesOf(property(operation, name) ?? {}, isText);
    // Without a segment it is another address.
    const given = inPath.includes(name) ? invalid.filter((value) => value !== '') : invalid;
    const values = [...given, ...(isRequired ? [undefined] : [])];
    for (const value of values) await expectRefusal(operation, name, value);
  }
  if (operation.input !== null && (operation.body === 'fields' || operation.query === 'all'))
    await expectRefusal(operation, 'unheard_of', 'x');
});

async function expectRefusal(operation: Operation, name: string, value: unknown): Promise<void> {
  const { target, callers } = standing;
  const request = toRequest(operation, target, { changed: { [name]: value }, serial: ++serial });
  const answer = await call<ErrorBody>(overHttp, { ...request, as: callers('the owner') });
  const about = `${name} = ${JSON.stringify(value)?.slice(0, 100)}: ${JSON.stringify(answer.body)?.slice(0, 500)}`;
  expect(answer.status, about).toBe(400);
  const named = answer.body.details?.map(({ path }) => path.split('.', 1)[0]) ?? [];
  expect(named, about).toContain(name);
}

/** What would end the session or delete what the others are about is tried with what is right alone. */
const queries = walked.filter(([, { procedure }]) => procedure.type === 'query');

test.each(queries)('%s at the edges of what is right', async (_, operation) => {
  const { target, callers } = standing;
  for (const { name, isText } of fieldsOf(operation)) {
    for (const value of edgesOf(property(operation, name) ?? {}, isText).boundary) {
      const request = toRequest(operation, target, { changed: { [name]: value }, serial: ++serial });
      const { status, body } = await call<ErrorBody>(overHttp, { ...request, as: callers('the owner') });
      const about = `${name} = ${JSON.stringify(value)?.slice(0, 100)}: ${JSON.stringify(body)?.slice(0, 500)}`;
      expect(status, about).toBeLessThan(500);
      // It may be about nothing, or mean nothing; its length or size is not at fault.
      if (status === 400)
        expect(body.message, about).not.toMatch(/at (most|least)|must be (a|an|one of|true) /);
    }
  }
});
