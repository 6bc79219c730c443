/** One Binding's part of a commit. */
interface Committed {
  readonly application: string;
  readonly environment: string;
  readonly snapshot: string;
  /** The Binding. */
  readonly name: string;
  readonly generation: number;
  /** Empty: none. */
  readonly promotion: string;
  readonly cause: string;
  readonly isGone: boolean;
}

/**
 * What a commit says about itself. A group of trailers for each Binding, which begins with its application: they tell which
 * snapshots a commit was made of without anything else at hand.
 */
export function commitMessage(changes: readonly Committed[], components: readonly string[]): string {
  const trailers = [
    ...changes.flatMap(({ application, environment, snapshot, name, generation, promotion, cause, isGone }) => [
      `Stagecoach-Application: ${application}`,
      `Stagecoach-Environment: ${environment}`,
      ...(isGone ? ['Stagecoach-Removed: environment'] : [`Stagecoach-Snapshot: ${snapshot}`]),
      `Stagecoach-Binding: ${name} generation ${generation}`,
      ...(promotion === '' ? [] : [`Stagecoach-Promotion: ${promotion}`]),
      ...(cause === '' ? [] : [`Stagecoach-Cause: ${cause}`]),
    ]),
    ...components.map((component) => `Stagecoach-Removed: component ${component}`),
  ];
  return `${inOneLine(title(changes, components))}\n\n${trailers.map(inOneLine).join('\n')}\n`;
}

function title(changes: readonly Committed[], components: readonly string[]): string {
  const [only] = changes;
  if (changes.length === 1 && only !== undefined)
    return only.isGone
      ? `Remove ${only.application} from ${only.environment}`
      : `Deploy ${only.snapshot} to ${only.environment}`;
  if (changes.length === 0)
    return `Remove ${components.length === 1 ? components[0] : `${components.length} components`}`;
  const environments = [...new Set(changes.map(({ environment }) => environment))];
  const where = environments.length === 1 ? environments[0] : `${environments.length} environments`;
  if (changes.every(({ isGone }) => isGone)) return `Remove ${changes.length} deployments from ${where}`;
  return `Deploy ${changes.length} changes to ${where}`;
}

/** Names have no line ends; an annotation that somebody wrote may. */
function inOneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 500);
}
