import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  call,
  createCollection,
  createProject,
  must,
  type SignedUp,
  signUp,
} from '#server/testing/callers.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import type { Collection } from '#shared/collections.ts';
import type { DocumentVersion, StoredDocument } from '#shared/documents.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

describe('a document and its version', () => {
  let owner: SignedUp;
  let films: Collection;
  beforeEach(async () => {
    owner = await signUp(kit);
    const projectId = (await createProject(kit, owner)).id;
    const metadata = { fields: [{ name: 'year', type: 'number' as const }] };
    films = await createCollection(kit, owner, { projectId, name: 'films', metadata });
    await must(send('POST', '', { id: '1', title: 'Solaris', year: 1972 }));
  });

  const send = <T>(method: string, path: string, body?: unknown) =>
    call<T>(kit, { method, path: `/api/collections/${films.id}/documents${path}`, body, as: owner.as });
  const version = (id: string) => must(send<DocumentVersion>('GET', `/${id}/version`));
  const replace = (id: string, ifVersion: number, document: Record<string, unknown>) =>
    send<StoredDocument>('PUT', `/${id}?if_version=${ifVersion}`, document);

  test('is replaced where nobody has changed it meanwhile, and has another version then', async () => {
    const before = await version('1');
    expect(before).toEqual({
      version: expect.any(Number),
      own_embedding: false,
      document: { id: '1', title: 'Solaris', year: 1972 },
    });
    // A write beside it is no change of it.
    await must(send('POST', '', { id: '2', title: 'Stalker' }));
    expect((await version('1')).version).toBe(before.version);
    const written = await replace('1', before.version, { title: 'Solaris', country: 'USSR' });
    expect(written).toMatchObject({ status: 200, body: { id: '1', title: 'Solaris', country: 'USSR' } });
    const after = await version('1');
    expect(after.version).toBeGreaterThan(before.version);
    expect(after.document).toEqual({ id: '1', title: 'Solaris', country: 'USSR' });
  });

  test('is not replaced where somebody has: changed, deleted, or written anew', async () => {
    const before = await version('1');
    await must(send('PATCH', '/1', { year: 2002 }));
    const refused = await replace('1', before.version, { title: 'Mine' });
    const now = (await version('1')).version;
    expect(refused).toMatchObject({
      status: 409,
      body: {
        code: 'CONFLICT',
        message: `The document "1" has been changed meanwhile: its version is ${now}`,
        details: [{ path: 'if_version', message: `is not the document's: its version is ${now}` }],
      },
    });
    expect((await version('1')).document).toEqual({ id: '1', title: 'Solaris', year: 2002 });

    await must(send('DELETE', '/1'));
    expect(await send('GET', '/1/version')).toMatchObject({ status: 404 });
    expect(await replace('1', now, { title: 'Mine' })).toMatchObject({
      status: 409,
      body: { message: 'The document "1" has been changed meanwhile: it is deleted' },
    });
    await must(send('POST', '', { id: '1', title: 'Solaris', year: 2002 }));
    expect(await replace('1', now, { title: 'Mine' })).toMatchObject({ status: 409 });
  });

  test('of two replacements of one version at the same time one goes in', async () => {
    const { version: known } = await version('1');
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, i) => replace('1', known, { title: `Number ${i}` })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    const winner = answers.findIndex(({ status }) => status === 200);
    expect((await version('1')).document['title']).toBe(`Number ${winner}`);
  });

  test('is checked like any other: a declared field of another type, a version that is none', async () => {
    const { version: known } = await version('1');
    expect(await replace('1', known, { year: 'soon' })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'year' }] },
    });
    expect(await replace('1', 0, { title: 'x' })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'if_version' }] },
    });
  });

  describe('by its ETag', () => {
    const tagOf = (answer: { headers: Headers }) => answer.headers.get('etag') ?? '';
    const change = (method: 'PUT' | 'PATCH', tag: string, body: unknown, id = '1') =>
      call<StoredDocument>(kit, {
        method,
        path: `/api/collections/${films.id}/documents/${id}`,
        body,
        headers: { 'if-match': tag },
        as: owner.as,
      });

    test('it is replaced and changed where nobody has changed it meanwhile', async () => {
      const read = tagOf(await send('GET', '/1'));
      expect(read).toMatch(/^"[\w-]{22}"$/);
      const changed = await change('PATCH', read, { year: 2002 });
      expect(changed).toMatchObject({ status: 200, body: { id: '1', title: 'Solaris', year: 2002 } });
      // What a write answers is what is read next.
      expect(tagOf(await send('GET', '/1'))).toBe(tagOf(changed));
      const replaced = await change('PUT', `"another", ${tagOf(changed)}`, { title: 'Stalker' });
      expect(replaced).toMatchObject({ status: 200, body: { id: '1', title: 'Stalker' } });
      expect(tagOf(replaced)).not.toBe(tagOf(changed));
    });

    test.each(['PUT', 'PATCH'] as const)('a %s is refused where somebody has', async (method) => {
      const read = tagOf(await send('GET', '/1'));
      const now = tagOf(await send('PATCH', '/1', { year: 2002 }));
      const refused = await change(method, read, { title: 'Mine' });
      expect(refused).toMatchObject({
        status: 412,
        body: {
          code: 'PRECONDITION_FAILED',
          message: `The document "1" is not the one that If-Match names: its ETag is ${now}`,
          details: [{ path: 'if_match', message: `does not name the document: its ETag is ${now}` }],
        },
      });
      expect((await version('1')).document).toEqual({ id: '1', title: 'Solaris', year: 2002 });
      // Compared strongly: a weak tag is nobody's.
      expect(await change(method, `W/${now}`, { title: 'Mine' })).toMatchObject({ status: 412 });
    });

    test('* is whatever is there, and nothing is refused where there is none', async () => {
      expect(await change('PUT', '*', { title: 'Stalker' })).toMatchObject({ status: 200 });
      expect(await change('PUT', '*', { title: 'Stalker' }, 'new')).toMatchObject({
        status: 412,
        body: { message: 'The document "new" is not the one that If-Match names: there is none' },
      });
      expect(await send('GET', '/new')).toMatchObject({ status: 404 });
    });

    test('what is no list of tags is a 400, and a vector is no part of a document', async () => {
      for (const wrong of ['abc', '"a" "b"', '"a",', '', 'x'.repeat(1_025)]) {
        expect(await change('PUT', wrong, { title: 'Mine' })).toMatchObject({
          status: 400,
          body: { details: [{ path: 'if_match' }] },
        });
      }
      expect((await send('GET', '/1?include_embedding=true')).headers.get('etag')).toBe(null);
    });
  });

  test('a vector that came with it stands when its version is replaced', async () => {
    const embedding = Array.from({ length: films.dimension }, (_, i) => (i === 3 ? 1 : 0));
    await must(send('POST', '', { id: 'own', title: 'By hand', embedding }));
    const before = await version('own');
    expect(before).toMatchObject({ own_embedding: true, document: { id: 'own', title: 'By hand' } });
    await must(replace('own', before.version, { title: 'By hand, again' }));
    expect(await version('own')).toMatchObject({ own_embedding: true });
    const read = await must(send<StoredDocument>('GET', '/own?include_embedding=true'));
    expect(read).toEqual({ id: 'own', title: 'By hand, again', embedding });
  });
});
