import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import type { FromWorker, ToWorker, WorkerStart } from './worker-messages.ts';

/**
 * The embedded database's thread. PGlite runs a statement to its end without giving way, so a thread that does not answer `ping` is at
 * work or hangs; `embedded-server.ts` decides which. Statements come over a Unix socket, only control messages over the port.
 */
const { folder, socketPath } = workerData as WorkerStart;
const say = (message: FromWorker) => parentPort?.postMessage(message);

const db = await PGlite.create({ dataDir: folder });
exitWhenBroken(db);
const server = new PGLiteSocketServer({ db, path: socketPath, maxConnections: 1 });
await server.start();

parentPort?.on('message', (message: ToWorker) => {
  if (message === 'ping') say('pong');
  else void stop();
});
say('ready');

async function stop(): Promise<void> {
  await server.stop();
  await db.exec('CHECKPOINT');
  await db.close();
  say('stopped');
  parentPort?.close();
}

/**
 * A failing statement is an answer of the protocol; only a database that broke down throws here, and afterwards its queue would stand
 * still for ever. Ending the thread lets it be opened again.
 */
function exitWhenBroken(pglite: PGlite): void {
  const exec = pglite.execProtocolRawStream.bind(pglite);
  pglite.execProtocolRawStream = async (...args) => {
    try {
      return await exec(...args);
    } catch (error) {
      setImmediate(() => {
        throw error;
      });
      throw error;
    }
  };
}
