import { describe, expect, it } from 'vitest';
import { chooseExposure, routeName, type WayIn } from '../../../shared/domain/overlay/choose-exposure.ts';

const openShift = { clusterType: 'OpenShift' } as const;
const kubernetes = { clusterType: 'Kubernetes', ingressDomain: 'apps.example.com' } as const;

function chosen(environment: Partial<WayIn['environment']>, but: Partial<Omit<WayIn, 'environment'>> = {}) {
  return chooseExposure({
    component: 'web',
    namespace: 'team',
    port: 8080,
    route: '',
    routeSuffix: '0a1b',
    ...but,
    environment: {
      exposeWith: undefined,
      clusterType: undefined,
      ingressDomain: '',
      gateway: undefined,
      ...environment,
    },
  });
}

describe('the way in from outside', () => {
  it('O10 is a Route on OpenShift, and OpenShift gives the host', () => {
    expect(chosen(openShift)).toEqual({ with: 'Route', name: 'web-0a1b', host: '' });
  });

  it('O16 is a Route with the host that the Component asks for', () => {
    expect(chosen(openShift, { route: 'shop.example.com' })).toEqual({
      with: 'Route',
      name: 'web-0a1b',
      host: 'shop.example.com',
    });
  });

  it('O12 is an Ingress on Kubernetes with a domain', () => {
    expect(chosen(kubernetes)).toEqual({ with: 'Ingress', host: 'web-team.apps.example.com' });
  });

  it('O12 is an Ingress on a cluster of no type with a domain: it is taken for Kubernetes', () => {
    expect(chosen({ ingressDomain: 'apps.example.com' })).toMatchObject({ with: 'Ingress' });
  });

  it('O13 is never an Ingress on OpenShift by itself, although there is a domain', () => {
    expect(chosen({ ...openShift, ingressDomain: 'apps.example.com' })).toMatchObject({ with: 'Route', host: '' });
  });

  it('is none on Kubernetes without a domain, although the Component asks for a host', () => {
    expect(chosen({ clusterType: 'Kubernetes' })).toBeUndefined();
    expect(chosen({ clusterType: 'Kubernetes' }, { route: 'shop.example.com' })).toBeUndefined();
  });

  it('O14 is none without a port, whatever is asked for', () => {
    expect(chosen(openShift, { port: 0 })).toBeUndefined();
    expect(chosen({ exposeWith: 'Ingress' }, { port: 0 })).toBeUndefined();
  });

  it.each(['Route', 'Ingress', 'HTTPRoute'] as const)(
    'is the one that was asked for, on any cluster: %s',
    (exposeWith) => {
      expect(chosen({ ...openShift, exposeWith, ingressDomain: 'example.com' })).toMatchObject({ with: exposeWith });
      expect(chosen({ ...kubernetes, exposeWith })).toMatchObject({ with: exposeWith });
    },
  );

  it('knows the gateway of an HTTPRoute where one was given', () => {
    const gateway = { namespace: 'infra', name: 'public' };
    const host = 'web-team.apps.example.com';

    expect(chosen({ ...kubernetes, exposeWith: 'HTTPRoute', gateway })).toEqual({ with: 'HTTPRoute', host, gateway });
    expect(chosen({ ...kubernetes, exposeWith: 'HTTPRoute' })).toEqual({ with: 'HTTPRoute', host, gateway: undefined });
  });

  it.each(['Ingress', 'HTTPRoute'] as const)('an %s that was asked for needs a host', (exposeWith) => {
    expect(chosen({ exposeWith })).toEqual({
      kind: 'problem',
      reason: 'HostMissing',
      message: `An ${exposeWith} needs a host, and web has none: give the Environment an ingressDomain, or the Component a route`,
    });
    expect(chosen({ exposeWith }, { route: 'shop.example.com' })).toMatchObject({ host: 'shop.example.com' });
  });
});

describe('M22 the host', () => {
  it('O20 is that of the Component before that of the environment', () => {
    expect(chosen(kubernetes, { route: 'shop.example.com' })).toEqual({ with: 'Ingress', host: 'shop.example.com' });
  });

  it.each([
    'Shop.example.com',
    'shop_1.example.com',
    '*.example.com',
    'shop..com',
    '-shop.com',
    'shop-.com',
    'šhop.com',
    'shop.com/a',
    'shop.com:80',
    ' shop.com',
    `${'a'.repeat(64)}.com`,
    Array(64).fill('abc').join('.'),
  ])('is refused as %j, on every cluster', (route) => {
    for (const environment of [openShift, kubernetes, { ...kubernetes, exposeWith: 'HTTPRoute' } as const])
      expect(chosen(environment, { route })).toMatchObject({ kind: 'problem', reason: 'HostNotUsable' });
  });

  it('may be as long as DNS allows', () => {
    expect(chosen(kubernetes, { route: `${'a'.repeat(63)}.com` })).toMatchObject({ with: 'Ingress' });
    expect(chosen(kubernetes, { route: `${Array(63).fill('abc').join('.')}.a` })).toMatchObject({ with: 'Ingress' });
  });

  it('is refused where the names make it too long', () => {
    expect(chosen(kubernetes, { component: 'c'.repeat(40), namespace: 'n'.repeat(30) })).toMatchObject({
      reason: 'HostNotUsable',
    });
    expect(chosen({ ingressDomain: 'Example.com' })).toMatchObject({ reason: 'HostNotUsable' });
  });
});

describe('the name of a Route', () => {
  it.each([
    ['web', 'web-0a1b'],
    ['a-component-of-25-letters', 'a-component-of-25-letters-0a1b'],
    ['a-component-of-more-letters', 'a-component-of-more-lette-0a1b'],
    ['a-component-with-a-dash--here', 'a-component-with-a-dash-0a1b'],
  ])('O17 O18 of %s is %s', (component, name) => {
    expect(routeName(component, '0a1b')).toBe(name);
  });
});
