import { type Knock, type Step, settled } from '../core/step.ts';

/** An object, and the Secret that it names. */
export interface SecretReader {
  readonly name: string;
  readonly secret: string;
}

export interface SeenSecretReaders {
  readonly namespace: string;
  /** The Secret that changed. */
  readonly name: string;
  readonly environments: readonly SecretReader[];
  readonly credentials: readonly SecretReader[];
  /** The Environments whose target it opens, or should open. */
  readonly opened: readonly string[];
}

/** Decides who must look again because a Secret is no longer as it was: whoever names it, in its own namespace. */
export function decideSecretReaders({ namespace, name, environments, credentials, opened }: SeenSecretReaders): Step {
  function wake(type: string, readers: readonly SecretReader[]): Knock[] {
    return readers
      .filter(({ secret }) => secret === name)
      .map((reader) => ({ type, subject: { namespace, name: reader.name } }));
  }
  return {
    effects: [],
    conditions: [],
    knocks: [
      ...wake('managed-environment.changed.v1', environments),
      ...wake('repo-credential.changed.v1', credentials),
      ...opened.map((environment) => ({
        type: 'environment.changed.v1',
        subject: { namespace, name: environment },
      })),
    ],
    next: settled,
  };
}

/** A Secret that we wrote for Argo CD ourselves (shared/domain/gitops/names.ts). Nobody names it, and there are many. */
export function isWrittenForArgo(name: string): boolean {
  return /^(?:repo-cred|managed-env)-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(name);
}
