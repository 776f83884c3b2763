import fs, { type FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Snapshot } from '#server/engine/types.ts';
import { readWhole, sourceOf } from '#server/testing/snapshot-sources.ts';
import { SnapshotFiles } from './snapshot-files.ts';
import { chunkBytes } from './snapshot-format.ts';

const real = { ...fs };
const owner = { collectionId: 7, createdAtMicros: '100' };
const name = '7-100';

/** A process whose changes of files can be ended before any of them, or refused, and what a disk has of them that loses its power then. */
class EndingProcess {
  readonly changes: string[] = [];
  #left: number;
  readonly #failure: { onlyOnce: boolean; message: string };
  /** Written and not flushed, by the path that each has now. */
  readonly #unflushed = new Set<string>();
  /** Renamed in a folder that was not flushed since. */
  #undo: { folder: string; run: () => Promise<unknown> }[] = [];

  constructor(changesLeft: number, failure = { onlyOnce: false, message: 'ended' }) {
    this.#left = changesLeft;
    this.#failure = failure;
    const change = <Result>(what: string, run: () => Promise<Result>) => this.#change(what, run);
    vi.spyOn(fs, 'mkdir').mockImplementation((at, options) =>
      change(`mkdir ${at}`, () => real.mkdir(at, options)),
    );
    vi.spyOn(fs, 'rm').mockImplementation((at, options) => change(`rm ${at}`, () => real.rm(at, options)));
    vi.spyOn(fs, 'rename').mockImplementation((from, to) =>
      change(`rename ${to}`, () => this.#rename(String(from), String(to))),
    );
    vi.spyOn(fs, 'open').mockImplementation(async (at, flags, mode) => {
      if (flags === 'r') return this.#watched(String(at), await real.open(at, flags));
      this.#unflushed.add(String(at));
      return this.#watched(String(at), await change(`create ${at}`, () => real.open(at, flags, mode)));
    });
    syncBuiltinESMExports();
  }

  static none(): void {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  }

  /** What was not flushed is lost: the worst that a disk may do. */
  async losePower(): Promise<void> {
    for (const { run } of this.#undo.reverse()) await run();
    for (const at of this.#unflushed) await real.truncate(at, 0).catch(() => {});
  }

  async #change<Result>(what: string, run: () => Promise<Result>): Promise<Result> {
    const { onlyOnce, message } = this.#failure;
    const isFailing = onlyOnce ? this.#left === 0 : this.#left <= 0;
    this.#left -= 1;
    if (isFailing) throw new Error(message);
    this.changes.push(what);
    return run();
  }

  #watched(at: string, handle: FileHandle): FileHandle {
    const { write, sync } = handle;
    const writes = (bytes: Uint8Array, offset: number) =>
      this.#change(`write ${at}`, () => Reflect.apply(write, handle, [bytes, offset]));
    const syncs = () =>
      this.#change(`sync ${at}`, async () => {
        await Reflect.apply(sync, handle, []);
        this.#unflushed.delete(at);
        this.#undo = this.#undo.filter(({ folder }) => folder !== at);
      });
    return Object.assign(handle, { write: writes, sync: syncs });
  }

  async #rename(from: string, to: string): Promise<void> {
    const former = await real.readFile(to).catch(() => null);
    await real.rename(from, to);
    if (this.#unflushed.delete(from)) this.#unflushed.add(to);
    const run = async () => {
      await real.rename(to, from);
      if (former !== null) await real.writeFile(to, former);
    };
    this.#undo.push({ folder: path.dirname(to), run });
  }
}

const numbers = (length: number, factor: number) =>
  Uint8Array.from({ length }, (_, i) => i * factor + (i >>> 20));
const former: Snapshot = new Map([
  ['header', Uint8Array.of(1)],
  ['large', numbers(chunkBytes + 300_000, 3)],
  ['gone', numbers(300_000, 5)],
]);
const next: Snapshot = new Map([
  ['header', Uint8Array.of(2)],
  ['large', numbers(chunkBytes + 400_000, 3)],
  ['new', numbers(300_000, 11)],
]);

describe('a snapshot whose writing is ended', () => {
  let directory: string;
  let saved: string;
  let folder: string;

  beforeAll(async () => {
    directory = await real.mkdtemp(path.join(tmpdir(), 'vectora-ended-'));
    saved = path.join(directory, 'saved');
    folder = path.join(directory, 'indexes');
    await new SnapshotFiles(saved).write(owner, sourceOf(former));
  });
  afterAll(() => real.rm(directory, { recursive: true, force: true }));
  afterEach(() => EndingProcess.none());

  const start = async (from: string | null) => {
    await real.rm(folder, { recursive: true, force: true });
    if (from !== null) await real.cp(from, folder, { recursive: true });
  };
  const chunkNames = async () => (await real.readdir(path.join(folder, `${name}.chunks`))).sort();
  /** By another process. */
  const found = async () => {
    const read = await readWhole(new SnapshotFiles(folder), owner);
    if (read === null) return 'none';
    if ('refused' in read) return read.refused;
    const isAs = (snapshot: Snapshot) =>
      read.snapshot.size === snapshot.size &&
      [...snapshot].every(
        ([piece, bytes]) => Buffer.compare(bytes, read.snapshot.get(piece) ?? Buffer.of()) === 0,
      );
    return isAs(former) ? 'former' : isAs(next) ? 'next' : 'other';
  };
  /** Ended before its n-th change. @returns false: it has no n-th change */
  const isEndedAt = async (n: number, { isPowerLost }: { isPowerLost: boolean }) => {
    const ending = new EndingProcess(n);
    const ended = await new SnapshotFiles(folder).write(owner, sourceOf(next)).then(
      () => false,
      () => true,
    );
    EndingProcess.none();
    if (ended && isPowerLost) await ending.losePower();
    return ended;
  };

  it.each([
    { isPowerLost: false, before: 'former' },
    { isPowerLost: true, before: 'former' },
    { isPowerLost: false, before: 'none' },
    { isPowerLost: true, before: 'none' },
  ])(
    'at any change, power lost: $isPowerLost, is the $before one or the next, whole, and its orphans go',
    async ({ isPowerLost, before }) => {
      const from = before === 'former' ? saved : null;
      const seen: string[] = [];
      for (let n = 0; ; n += 1) {
        await start(from);
        if (!(await isEndedAt(n, { isPowerLost }))) break;
        seen.push(await found());
        expect(seen.at(-1), `ended before change ${n}`).toBeOneOf([before, 'next']);
        const left = await real.readdir(folder);
        expect(
          left.filter((each) => each.endsWith('.part')),
          `left of change ${n}`,
        ).toEqual([]);
        const chunks = left.includes(`${name}.chunks`) ? await chunkNames() : [];
        const named = await real.readFile(path.join(folder, `${name}.snapshot`), 'latin1').catch(() => '');
        for (const chunk of chunks) expect(named, `left of change ${n}`).toContain(chunk);
        await new SnapshotFiles(folder).write(owner, sourceOf(next));
        expect(await found(), `written again after ${n}`).toBe('next');
      }
      expect(seen.length).toBeGreaterThan(20);
      // Once it is there it stays.
      expect(seen).toEqual([...seen].sort((a, b) => Number(a === 'next') - Number(b === 'next')));
      expect(seen).toContain(before);
      expect(seen).toContain('next');
      expect(await found()).toBe('next');
    },
  );

  it('by a full disk leaves the former one and nothing else', async () => {
    await start(saved);
    const chunks = await chunkNames();
    let failures = 0;
    for (let n = 1; ; n += 1) {
      const files = new SnapshotFiles(folder);
      await readWhole(files, owner);
      const ending = new EndingProcess(n, { onlyOnce: true, message: 'ENOSPC' });
      const failed = await files.write(owner, sourceOf(next)).catch((error: Error) => error.message);
      EndingProcess.none();
      if (ending.changes.some((change) => change.endsWith('.snapshot'))) break;
      failures += 1;
      expect(failed).toBe('ENOSPC');
      expect(await chunkNames(), `change ${n} of ${ending.changes.join('\n')}`).toEqual(chunks);
      expect((await real.readdir(folder)).sort()).toEqual([`${name}.chunks`, `${name}.snapshot`]);
      expect(await found()).toBe('former');
    }
    expect(failures).toBeGreaterThan(10);
  });
});
