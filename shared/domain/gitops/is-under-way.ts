/** The phases of an operation of Argo CD in which it has not said its last word. */
export function isUnderWay(phase: string): boolean {
  return phase === 'Running' || phase === 'Terminating';
}
