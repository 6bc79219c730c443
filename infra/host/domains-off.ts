import domain from 'node:domain';

/**
 * Keeps the framework from switching on Node's deprecated domains.
 *
 * It makes one for every request, to answer 500 for errors nobody caught. Our functions catch theirs, and the first
 * domain of a process puts hooks on every promise in it from then on, which costs about 15 % of the host's CPU
 * (infra/decisions/0004-hot-path.md). So the framework gets one that does nothing.
 */
export function keepDomainsOff(): void {
  const idle = {
    on: () => idle,
    run: (work: () => unknown) => work(),
    bind: (callback: unknown) => callback,
  } as unknown as domain.Domain;
  domain.create = () => idle;
  // The framework reads its completion callback from here.
  (process as { domain?: unknown }).domain = idle;
}
