/** As long as the name of an object may be, with room for what others put behind it. */
const longest = 250;
const kept = 180;

interface Named {
  readonly binding: string;
  readonly application: string;
  readonly environment: string;
  readonly component: string;
}

/** The GitOpsDeployment of a component: the names that clients of the original know, shorter where they are too long. */
export function deploymentName(
  { binding, application, environment, component }: Named,
  digest: (text: string) => string,
): string {
  const whole = `${binding}-${application}-${environment}-${component}`;
  if (whole.length <= longest) return whole;
  const short = `${binding}-${component}`;
  return short.length <= longest ? short : `${short.slice(0, kept)}-${digest(whole)}`;
}
