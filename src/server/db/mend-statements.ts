import type { Sql, TransactionSql } from 'postgres';
import { createPreparedTexts } from './prepared-texts.ts';

/**
 * The driver with two things mended where statements are sent, in transactions too.
 * - Texts with parameters that come again are prepared: the query builder never asks for it.
 * - A result is whole. When a statement fails after some of its rows have come, the driver writes the next statement's rows behind the
 *   places of those, and answers with holes in front of them. That answer may be under way before anybody hears of the failure, so the
 *   holes are taken away where the answer arrives; the rows behind them are all there and in order.
 */
export function mendStatements(driver: Sql): Sql {
  const texts = createPreparedTexts();

  function mend<S extends Sql | TransactionSql>(sql: S): S {
    const unsafe: Sql['unsafe'] = (text, args = [], options) => {
      const prepare = options?.prepare || (args.length > 0 && texts.shouldPrepare(text));
      return whole(sql.unsafe(text, args, { ...options, prepare }));
    };
    return new Proxy(sql, {
      apply: (target, self, args) => whole(Reflect.apply(target, self, args)),
      get: (target, name) => {
        if (name === 'unsafe') return unsafe;
        const value: unknown = Reflect.get(target, name);
        return name === 'begin' || name === 'savepoint' ? inside(value as Opening) : value;
      },
    });
  }

  /** `begin` and `savepoint` make a driver of their own for their last argument. */
  function inside(open: Opening): Opening {
    return (...args) => {
      const body = args.at(-1) as (sql: TransactionSql) => unknown;
      return open(...args.slice(0, -1), (sql: TransactionSql) => body(mend(sql)));
    };
  }

  return mend(driver);
}

type Opening = (...args: unknown[]) => unknown;

/** What the driver calls with the result of a query; its types leave it out. */
interface Resolvable {
  resolve: (result: unknown) => void;
}

/** A call of the driver makes a query, or a part of one. */
function whole<Q>(query: Q): Q {
  if (isResolvable(query)) {
    const resolve = query.resolve;
    query.resolve = (result) => {
      removeHoles(result);
      resolve(result);
    };
  }
  return query;
}

function isResolvable(query: unknown): query is Resolvable {
  return query instanceof Promise && 'resolve' in query && typeof query.resolve === 'function';
}

/** Several statements in one text answer with a list of results. */
function removeHoles(answer: unknown): void {
  if (!Array.isArray(answer)) return;
  for (const result of 'command' in answer ? [answer] : answer) {
    if (result.length === 0 || 0 in result) continue;
    result.splice(
      0,
      result.findIndex((_: unknown, place: number) => place in result),
    );
  }
}
