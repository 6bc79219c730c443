import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Sql } from 'postgres';
import { setServer } from './set-server.ts';

/** Counts statements by what they begin with, from the log of the embedded server; it must be a superuser's connection. */
export async function openStatementCount(
  sql: Sql,
): Promise<{ end(): Promise<readonly (readonly [string, number])[]> }> {
  const [place] = await sql<[{ data: string }]>`select current_setting('data_directory') as data`;
  const file = join(dirname(dirname(place.data)), 'server.log');
  await setServer(sql, 'log_statement', 'all');
  const from = readFileSync(file).length;
  return {
    async end() {
      const said = readFileSync(file).subarray(from).toString('utf8');
      await setServer(sql, 'log_statement', 'none');
      const counts = new Map<string, number>();
      for (const [, text = ''] of said.matchAll(
        /LOG: {2}(?:execute [^:]+|statement): ([\s\S]*?)(?=\n\d{4}-\d\d-\d\d |$)/g,
      )) {
        const words = text.replaceAll(/\s+/g, ' ').trim().slice(0, 48);
        counts.set(words, (counts.get(words) ?? 0) + 1);
      }
      return [...counts].toSorted(([, one], [, other]) => other - one);
    },
  };
}
