import { AsyncLocalStorage } from 'node:async_hooks';
import type { Sql, TransactionSql } from 'postgres';
import { ConnectionTurns } from './connection-turns.ts';
import type { SilenceWatch } from './silence-watch.ts';

/** One pool by two ways. */
interface BoundPool {
  sql: Sql;
  /** For statements of many rows, whose caller has time: they have half of the connections at most, and may wait long for them. */
  bulk: Sql;
}

/** The pool as one of its users has it: names take turns; see `ConnectionTurns`. */
export type PoolOf = (name: string) => BoundPool;

/**
 * The driver's pool, in which nobody waits without an end. A statement or a transaction takes one of the connections or waits for one
 * here, where it can be taken out again; the driver itself would send it behind another one's statement. Each is watched while it
 * waits and while the database has it. One that was given up keeps its connection until the database has answered.
 */
export function boundPool(
  driver: Sql,
  watch: SilenceWatch,
  turns = new ConnectionTurns(driver.options.max),
): PoolOf {
  /** In turns, on one of the connections. */
  const enterBy =
    (name: string, isBulk: boolean): Enter =>
    (start, fail) => {
      let place: 'queue' | 'connection' | 'gone' = 'queue';
      const begin = () => {
        place = 'connection';
        waiting.sent();
        start(waiting);
      };
      const use = { name, isBulk, begin };
      const leave = () => {
        // The driver has its connection back a moment after its answer; begun before that, the next one would be sent behind another one's.
        if (place === 'connection') queueMicrotask(() => turns.remove(use));
        else if (place === 'queue') turns.remove(use);
        place = 'gone';
      };
      const giveUp = (error: Error) => {
        if (place === 'queue') leave();
        fail(error);
      };
      const waiting = watch.add(giveUp, { hasTime: isBulk });
      if (place === 'queue') turns.add(use);
      if (place === 'queue') use.begin = AsyncLocalStorage.bind(begin);
      return () => {
        leave();
        waiting.end();
      };
    };

  /** Inside a transaction, which has its connection. */
  const onItsOwn: Enter = (start, fail) => {
    const waiting = watch.add(fail);
    waiting.sent();
    start(waiting);
    return waiting.end;
  };

  function bound<S extends Sql | TransactionSql>(sql: S, enter: Enter): S {
    const unsafe: Sql['unsafe'] = (...args) => limited(sql.unsafe(...args), enter);
    return new Proxy(sql, {
      apply: (target, self, args) => limited(Reflect.apply(target, self, args), enter),
      get: (target, name) => {
        if (name === 'unsafe') return unsafe;
        const value: unknown = Reflect.get(target, name);
        if (name === 'begin') return transaction(value as Opening, enter);
        return name === 'savepoint' ? inside(value as Opening, (body) => body) : value;
      },
    });
  }

  function transaction(open: Opening, enter: Enter): Opening {
    return (...args) =>
      new Promise((resolve, reject) => {
        let isGivenUp = false;
        const fail = (error: Error) => {
          isGivenUp = true;
          reject(error);
        };
        const start = async (waiting: Waiting) => {
          const opened = inside(open, (body) => async (tx) => {
            if (isGivenUp) throw new Error('nobody waits for this transaction any more');
            const goOn = waiting.pause();
            try {
              return await body(tx);
            } finally {
              goOn();
            }
          });
          try {
            resolve(await opened(...args));
          } catch (error) {
            reject(error);
          } finally {
            end();
          }
        };
        const end = enter(start, fail);
      });
  }

  /** `begin` and `savepoint` make a driver of their own for their last argument. */
  function inside(open: Opening, around: (body: Body) => Body): Opening {
    return (...args) => {
      const body = around(args.at(-1) as Body);
      return open(...args.slice(0, -1), (tx: TransactionSql) => body(bound(tx, onItsOwn)));
    };
  }

  return (name) => ({ sql: bound(driver, enterBy(name, false)), bulk: bound(driver, enterBy(name, true)) });
}

type Waiting = ReturnType<SilenceWatch['add']>;
/** Calls `start`, or `fail` when that took too long or takes too long then. Answers what is to be called at the end. */
type Enter = (start: (waiting: Waiting) => void, fail: (error: Error) => void) => () => void;
type Body = (tx: TransactionSql) => unknown;
type Opening = (...args: unknown[]) => Promise<unknown>;

/** What the driver calls of a query; its types leave it out. */
interface Query {
  handler: (query: Query) => void;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

/** A call of the driver makes a query, or a part of one, which is never handled. */
function limited<Q>(query: Q, enter: Enter): Q {
  if (!isQuery(query)) return query;
  const { handler, resolve, reject } = query;
  let isOver = false;
  let leave = () => {};
  const end = () => {
    isOver = true;
    leave();
    leave = () => {};
  };
  const start = (own: Query) => {
    const left = enter(() => handler(own), reject);
    // A driver that is closed refuses on the spot.
    if (isOver) left();
    else leave = left;
  };
  query.handler = Object.assign(start, handler);
  query.resolve = (result) => {
    end();
    resolve(result);
  };
  query.reject = (error) => {
    end();
    reject(error);
  };
  return query;
}

function isQuery(query: unknown): query is Query {
  return query instanceof Promise && 'handler' in query && 'resolve' in query && 'reject' in query;
}
