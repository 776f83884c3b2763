import { parentPort } from 'node:worker_threads';
import { EngineCallHandler } from './engine-calls.ts';
import { serveCalls } from './serve-calls.ts';

/** A thread that owns the indexes placed in it. */
if (parentPort) serveCalls(parentPort, new EngineCallHandler());
