const least = 15;
const most = 600;

/** How long to leave a repository alone that was refused: half as long as it has been refused already, so that a cure is seen soon and a lost cause costs little. */
export function secondsToRetry({ since, at }: { readonly since: number; readonly at: number }): number {
  return Math.min(most, Math.max(least, (at - since) / 2_000));
}
