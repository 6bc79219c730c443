/** The dependency that is away, as far as the thrower knows. The host slows down what needs it. */
export type Dependency = 'database' | 'queue' | 'cluster' | 'git' | 'argo';

/** Someone else wrote first. Not news: look again and decide again. */
export class Conflict extends Error {
  override readonly name = 'Conflict';
  readonly kind = 'conflict';
}

/** A dependency is away. The same step will work later. */
export class Transient extends Error {
  override readonly name = 'Transient';
  readonly kind = 'transient';
  readonly dependency: Dependency;

  constructor(dependency: Dependency, message: string, options?: ErrorOptions) {
    super(message, options);
    this.dependency = dependency;
  }
}

/** We sent a command and do not know whether it took. Observe before acting again. */
export class Uncertain extends Error {
  override readonly name = 'Uncertain';
  readonly kind = 'uncertain';
  readonly dependency: Dependency;

  constructor(dependency: Dependency, message: string, options?: ErrorOptions) {
    super(message, options);
    this.dependency = dependency;
  }
}

/** It cannot work until the user changes something. `forUser` becomes the condition. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly kind = 'refused';
  readonly reason: string;
  readonly forUser: string;

  constructor(reason: string, forUser: string, options?: ErrorOptions) {
    super(`${reason}: ${forUser}`, options);
    this.reason = reason;
    this.forUser = forUser;
  }
}

/** Not one of our messages. It goes to the dead letters at once, with the reason. */
export class Poison extends Error {
  override readonly name = 'Poison';
  readonly kind = 'poison';
}

export type Trouble = Conflict | Transient | Uncertain | Refused | Poison;

export function isTrouble(error: unknown): error is Trouble {
  return (
    error instanceof Conflict ||
    error instanceof Transient ||
    error instanceof Uncertain ||
    error instanceof Refused ||
    error instanceof Poison
  );
}
