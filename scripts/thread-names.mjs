// Put in front of a server, tells on standard error which thread of the system each of its threads is: `thread <number> <file>`. Linux only.
import { readlinkSync } from 'node:fs';
import path from 'node:path';
import { isMainThread } from 'node:worker_threads';

const thread = path.basename(readlinkSync('/proc/thread-self'));
process.stderr.write(
  `thread ${thread} ${isMainThread ? 'main' : path.basename(process.argv[1] ?? 'unknown')}\n`,
);
