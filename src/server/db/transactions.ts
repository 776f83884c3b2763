import { AsyncLocalStorage } from 'node:async_hooks';
import type { Sql, TransactionSql } from 'postgres';
import { isConnectionLoss } from './record-error.ts';

/**
 * A transaction whose connection is lost must end there. The driver by itself goes on: it sends the rollback, or whatever the transaction
 * does next, to the closed connection, which throws where nobody can catch it, or to the connection made in its place, where the statement
 * commits alone. So after a loss nothing more is sent, and the transaction rejects when the driver reports the connection as closed.
 *
 * Inside a transaction its own handle is the only one. A statement sent to the pool would see none of the transaction's changes, and where
 * the pool has no other connection it would wait for the transaction, which waits for it.
 */
export interface TransactionGuard {
  /** The driver's `debug` hook: tells which connection a transaction got. */
  sawStatement(connection: number, statement: string): void;
  /** The driver's `onclose` hook. */
  connectionClosed(connection: number): void;
  /** The driver with a `begin` that ends on a loss, and which throws when it is asked by code inside a transaction. */
  protect(sql: Sql): Sql;
}

interface Transaction {
  isLost: boolean;
  isOver: boolean;
}

type Body = (sql: TransactionSql) => unknown;

export function createTransactionGuard(): TransactionGuard {
  const waiting = new Map<string, Transaction>();
  const running = new Map<number, Transaction>();
  const current = new AsyncLocalStorage<Transaction>();
  let count = 0;
  /** Transactions that are not over. */
  let open = 0;

  async function run(tx: TransactionSql, body: Body, transaction: Transaction): Promise<unknown> {
    count += 1;
    const mark = `select ${count} as transaction`;
    waiting.set(mark, transaction);
    return await shield(transaction, async () => {
      await tx.unsafe(mark);
      return await current.run(transaction, async () => body(guarded(tx, transaction)));
    });
  }

  /** What a transaction started and did not wait for, like a timer, may ask the pool once the transaction is over. */
  function assertOutside(): void {
    const transaction = current.getStore();
    if (transaction && !transaction.isOver) {
      throw new Error('the pool was asked inside a transaction: use the handle of the transaction');
    }
  }

  return {
    sawStatement(connection, statement) {
      const transaction = waiting.get(statement);
      if (!transaction) return;
      waiting.delete(statement);
      running.set(connection, transaction);
    },
    connectionClosed(connection) {
      const transaction = running.get(connection);
      if (transaction) transaction.isLost = true;
      running.delete(connection);
    },
    protect(sql) {
      const begin = sql.begin as (options: string, body: Body) => Promise<unknown>;
      const protectedBegin = async (...args: [Body] | [string, Body]) => {
        assertOutside();
        const [options, body] = args.length === 1 ? ['', args[0]] : args;
        const transaction: Transaction = { isLost: false, isOver: false };
        open += 1;
        try {
          return await begin(options, (tx) => run(tx, body, transaction));
        } finally {
          transaction.isOver = true;
          open -= 1;
          // While it is enabled, every promise of the process costs a hook.
          if (open === 0) current.disable();
        }
      };
      const unsafe: Sql['unsafe'] = (...args) => {
        assertOutside();
        return sql.unsafe(...args);
      };
      return new Proxy(sql, {
        apply: (target, self, args) => {
          assertOutside();
          return Reflect.apply(target, self, args);
        },
        get: (target, name) =>
          name === 'begin' ? protectedBegin : name === 'unsafe' ? unsafe : Reflect.get(target, name),
      });
    },
  };
}

/** Settles as the body does, except after a loss: then never, so that the driver sends no rollback; its own `begin` rejects on the close. */
async function shield(transaction: Transaction, body: () => Promise<unknown>): Promise<unknown> {
  try {
    const result = await body();
    if (!transaction.isLost) return result;
  } catch (error) {
    if (isConnectionLoss(error)) transaction.isLost = true;
    if (!transaction.isLost) throw error;
  }
  return await new Promise<never>(() => undefined);
}

/** The transaction's driver, which refuses every statement after a loss; nested transactions (savepoints) likewise. */
function guarded(tx: TransactionSql, transaction: Transaction): TransactionSql {
  const assertConnected = () => {
    if (transaction.isLost) {
      throw Object.assign(new Error('the connection of this transaction is lost'), {
        code: 'CONNECTION_CLOSED',
      });
    }
  };
  const savepoint = (...args: [Body] | [string, Body]) => {
    assertConnected();
    const body = args.length === 1 ? args[0] : args[1];
    return tx.savepoint((inner) => shield(transaction, async () => body(guarded(inner, transaction))));
  };
  const unsafe: TransactionSql['unsafe'] = (...args) => {
    assertConnected();
    return tx.unsafe(...args);
  };
  return new Proxy(tx, {
    apply: (target, self, args) => {
      assertConnected();
      return Reflect.apply(target, self, args);
    },
    get: (target, name) =>
      name === 'unsafe' ? unsafe : name === 'savepoint' ? savepoint : Reflect.get(target, name),
  });
}
