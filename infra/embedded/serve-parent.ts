import process from 'node:process';

/**
 * The child's end of spawn-server.ts: one line on standard output says that it is ready, and where. Everything else goes
 * to standard error. It ends when told to, or when standard input closes because the parent died, however it died.
 */
export function serveParent(announcement: object, stop: () => Promise<void>): void {
  const end = async (): Promise<void> => {
    await stop();
    process.exit(0);
  };
  process.once('SIGTERM', end);
  // Ctrl+C goes to the whole group; the parent decides when its stand-ins may end.
  process.on('SIGINT', () => {});
  process.stdin.once('end', end).once('error', end).resume();
  process.stdout.write(`${JSON.stringify(announcement)}\n`);
}
