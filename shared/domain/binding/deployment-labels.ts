type Labels = Readonly<Record<string, string>>;

/** Labels of this family are passed on from a Binding to what it makes. */
const family = 'appstudio.openshift.io';

interface Deployed {
  readonly application: string;
  readonly environment: string;
  readonly component: string;
}

/** The labels that a Binding gives to a GitOpsDeployment. */
export function deploymentLabels(binding: Labels, { application, environment, component }: Deployed): Labels {
  return {
    ...ofFamily(binding),
    [`${family}/application`]: application,
    [`${family}/component`]: component,
    [`${family}/environment`]: environment,
  };
}

/** What has to be patched so that it carries these labels of the family and no others; undefined: nothing. Other labels are its users'. */
export function labelPatch(standing: Labels, wanted: Labels): Readonly<Record<string, string | null>> | undefined {
  const gone = Object.keys(ofFamily(standing)).filter((key) => !(key in wanted));
  const fresh = Object.entries(wanted).filter(([key, value]) => standing[key] !== value);
  if (gone.length === 0 && fresh.length === 0) return undefined;
  return { ...Object.fromEntries(gone.map((key) => [key, null])), ...Object.fromEntries(fresh) };
}

function ofFamily(labels: Labels): Labels {
  return Object.fromEntries(Object.entries(labels).filter(([key]) => key.includes(family)));
}
