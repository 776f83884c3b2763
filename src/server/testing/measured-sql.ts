import type { Row, Sql } from 'postgres';

/** The driver, and how many bytes of documents each of its answers has. */
export function measuredSql(sql: Sql, note: (documentBytes: number) => void): Sql {
  const unsafe: Sql['unsafe'] = (...args) => {
    const query = sql.unsafe(...args);
    const sum = (rows: Row[]) => rows.reduce((bytes, row) => bytes + (row['source']?.length ?? 0), 0);
    query.then(
      (rows) => note(sum(rows)),
      () => undefined,
    );
    return query as never;
  };
  return new Proxy(sql, {
    get: (target, name) => (name === 'unsafe' ? unsafe : Reflect.get(target, name)),
  });
}
