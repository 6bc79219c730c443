/** Starts an embedded database, says where, and waits to be killed. Used by postgres.test.ts. */

import type { Tether } from '../../infra/embedded/postgres/run-as.ts';
import { startEmbeddedPostgres } from '../../infra/embedded/postgres/start-embedded-postgres.ts';

const [folder = '', tether] = process.argv.slice(2);
const { url } = await startEmbeddedPostgres({ folder, log: () => {}, tether: tether as Tether });
process.stdout.write(`${url}\n`);
setInterval(() => {}, 60_000);
