import { type Configuration, mergeValues } from '../../../shared/domain/overlay/merge-values.ts';
import type { OverlayInput } from '../../../shared/domain/overlay/overlay.ts';
import { anInput } from './a-repository.ts';

// The example of the seed's chapter "Order of precedence", word for word.

const environments: Record<string, Configuration> = {
  poc: written({ db_credentials: '(cred for poc and staging, only)' }),
  staging: written({ run_extra_tests: 'true', db_credentials: '(cred for poc and staging, only)' }),
  prod: written({ db_credentials: '(cred for prod, only)' }),
};

const components: Record<string, Configuration> = {
  component1: written({ component_type: 'web-app' }),
  component2: written({
    component_type: 'mqtt-service',
    mqtt_external_service_credentials: '(credentials for an mqtt.com external service)',
  }),
};

const application = written({ enable_go_lang_tracing: 'true' });

const bindings: Record<string, Configuration> = {
  'component1 on prod': written({ startupMessage: 'Hello from component 1 on prod!' }),
};

/** What the seed says comes of it. */
export const seedVariables: Record<string, Record<string, string>> = {
  'component1 on poc': {
    component_type: 'web-app',
    db_credentials: '(cred for poc and staging, only)',
    enable_go_lang_tracing: 'true',
  },
  'component1 on staging': {
    component_type: 'web-app',
    db_credentials: '(cred for poc and staging, only)',
    run_extra_tests: 'true',
    enable_go_lang_tracing: 'true',
  },
  'component1 on prod': {
    startupMessage: 'Hello from component 1 on prod!',
    component_type: 'web-app',
    db_credentials: '(cred for prod, only)',
    enable_go_lang_tracing: 'true',
  },
  'component2 on poc': {
    component_type: 'mqtt-service',
    db_credentials: '(cred for poc and staging, only)',
    mqtt_external_service_credentials: '(credentials for an mqtt.com external service)',
    enable_go_lang_tracing: 'true',
  },
  'component2 on staging': {
    component_type: 'mqtt-service',
    db_credentials: '(cred for poc and staging, only)',
    mqtt_external_service_credentials: '(credentials for an mqtt.com external service)',
    run_extra_tests: 'true',
    enable_go_lang_tracing: 'true',
  },
  'component2 on prod': {
    component_type: 'mqtt-service',
    db_credentials: '(cred for prod, only)',
    mqtt_external_service_credentials: '(credentials for an mqtt.com external service)',
    enable_go_lang_tracing: 'true',
  },
};

export function seedInputs(): readonly OverlayInput[] {
  return Object.keys(seedVariables).map((place) => {
    const [component = '', environment = ''] = place.split(' on ');
    const values = mergeValues({
      binding: bindings[place],
      component: components[component],
      application,
      environment: environments[environment],
    });
    if ('reason' in values) throw new Error(values.message);
    return anInput({ component, componentName: component, application: 'app1', environment, ...values });
  });
}

function written(variables: Record<string, string>): Configuration {
  return { env: Object.entries(variables).map(([name, value]) => ({ name, value })) };
}
