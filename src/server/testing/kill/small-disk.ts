import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, rm } from 'node:fs/promises';
import path from 'node:path';

const isRoot = process.getuid?.() === 0;
const ownMounts = isRoot ? ['--mount'] : ['--map-root-user', '--mount'];

/** Whether a small disk can be mounted here, by root or in a namespace of one's own. */
export function canMount(): boolean {
  try {
    execFileSync('unshare', [...ownMounts, 'sh', '-c', 'mount -t tmpfs tmpfs /mnt'], { stdio: 'ignore' });
    return true;
  } catch {
    return false; // Not allowed here: the tests are skipped by name.
  }
}

/** A disk of its own at a folder, which only processes that are started with `prefix` see. */
export class SmallDisk {
  readonly #holder: ChildProcess;
  readonly #folder: string;

  private constructor(holder: ChildProcess, folder: string) {
    this.#holder = holder;
    this.#folder = folder;
  }

  static async mount(folder: string, megabytes: number): Promise<SmallDisk> {
    const script = `mount -t tmpfs -o size=${megabytes}m,mode=0700 tmpfs "$1" && echo mounted && read _`;
    const holder = spawn('unshare', [...ownMounts, 'sh', '-c', script, 'sh', folder]);
    await once(holder.stdout, 'data');
    return new SmallDisk(holder, folder);
  }

  get prefix(): string[] {
    const user = isRoot ? [] : ['--user', '--preserve-credentials'];
    return ['nsenter', `--target=${this.#holder.pid}`, '--mount', ...user];
  }

  /** The folder as this process reaches it. */
  get folder(): string {
    return path.join(`/proc/${this.#holder.pid}/root`, this.#folder);
  }

  get #filler(): string {
    return path.join(this.folder, 'filler');
  }

  /** Not a byte is free afterwards. */
  async fill(): Promise<void> {
    const handle = await open(this.#filler, 'a');
    try {
      for (let bytes = 2 ** 22; bytes >= 1; ) {
        const { bytesWritten } = await handle.write(Buffer.alloc(bytes, 1)).catch(ifFull);
        if (bytesWritten < bytes) bytes = Math.floor(bytes / 4);
      }
    } finally {
      await handle.close();
    }
  }

  async empty(): Promise<void> {
    await rm(this.#filler);
  }

  /** When nothing uses it any more. */
  async unmount(): Promise<void> {
    this.#holder.stdin?.end();
    if (this.#holder.exitCode === null) await once(this.#holder, 'exit');
  }
}

function ifFull(error: unknown): { bytesWritten: number } {
  if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return { bytesWritten: 0 };
  throw error;
}
