import type { Sql } from 'postgres';

/** A client whose statements fail whenever `fails` says so, as they do when the server is away. */
export function failingSql(sql: Sql, fails: () => boolean): Sql {
  const away = () => Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));

  /** A piece of another statement is never awaited by itself, so it never fails by itself. */
  function failing<Query extends object>(query: Query): Query {
    return new Proxy(query, {
      get(target, property) {
        if (property === 'then' && fails()) {
          const gone = away();
          return gone.then.bind(gone);
        }
        const value: unknown = Reflect.get(target, property, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  }

  return new Proxy(sql, {
    apply: (target, self, given) => failing(Reflect.apply(target, self, given)),
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (property !== 'unsafe') return value;
      return (...given: Parameters<Sql['unsafe']>) => failing(target.unsafe(...given));
    },
  });
}
