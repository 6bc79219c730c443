/**
 * serve-console: shows people what runs where, what is on its way, and why it waits.
 *
 *   wakes on   HTTP GET, at and below /console
 *   observes   the promotions and what stands of them, as rows; the Environments, in the cluster
 *   decides    nothing: functions/serve-console/pages/ puts it in order
 *   commits    nothing: it answers those who may look, and tells their browsers when to look again
 *   if down    people see nothing in their browsers; everything else goes on, and `npm run ops` tells the same
 */
import { definePage } from '../../shared/runtime/page/define-page.ts';
import { board } from './pages/board.ts';
import { openEnvironmentList } from './pages/environments.ts';
import { graph } from './pages/graph.ts';
import { promotion } from './pages/promotion.ts';

export const serveConsole = definePage({
  name: 'serve-console',
  at: '/console',
  files: new URL('./public/', import.meta.url),
  // A new view is a file in pages/, a file in public/views/, and a line in each of the two lists of them.
  views: [board, graph, promotion],
  sources: ({ world, clock, log }) => ({
    reader: world.promotionReader,
    environments: openEnvironmentList(world.clusters.local, clock, log),
  }),
  version: ({ reader }) => reader.version(),
});
