import type { Sql, TransactionSql } from 'postgres';
import { isConnectionLoss } from './record-error.ts';

/**
 * A transaction whose connection is lost must end there. The driver by itself goes on: it sends the rollback, or whatever the transaction
 * does next, to the closed connection, which throws where nobody can catch it, or to the connection made in its place, where the statement
 * commits alone. So after a loss nothing more is sent, and the transaction rejects when the driver reports the connection as closed.
 */
export interface TransactionGuard {
  /** The driver's `debug` hook: tells which connection a transaction got. */
  sawStatement(connection: number, statement: string): void;
  /** The driver's `onclose` hook. */
  connectionClosed(connection: number): void;
  /** Replaces `begin`. */
  protect(sql: Sql): void;
}

interface Transaction {
  isLost: boolean;
}

type Body = (sql: TransactionSql) => unknown;

export function createTransactionGuard(): TransactionGuard {
  const waiting = new Map<string, Transaction>();
  const running = new Map<number, Transaction>();
  let count = 0;

  async function run(tx: TransactionSql, body: Body): Promise<unknown> {
    const transaction: Transaction = { isLost: false };
    count += 1;
    const mark = `select ${count} as transaction`;
    waiting.set(mark, transaction);
    return await shield(transaction, async () => {
      await tx.unsafe(mark);
      return await body(guarded(tx, transaction));
    });
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
      const protectedBegin = (...args: [Body] | [string, Body]) => {
        const [options, body] = args.length === 1 ? ['', args[0]] : args;
        return begin(options, (tx) => run(tx, body));
      };
      Object.assign(sql, { begin: protectedBegin });
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
